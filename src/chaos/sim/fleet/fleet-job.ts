import assert from "node:assert/strict";

/**
 * What a fleet does about a loss, in the words of `FailurePolicy`, and one more: with `replica` the other
 * data-parallel replicas stall for a moment and go on, and the one that was hit joins again when it is back.
 */
export const fleetPolicies = ["drainThenResume", "spare", "shrink", "replica"] as const;
export type FleetPolicy = (typeof fleetPolicies)[number];

/** A job as one thing that computes, saves, stops and comes back. Times in whole microseconds. */
export interface FleetJob {
  /** Nodes that it needs. */
  readonly nodes: number;
  /** Nodes beside them. */
  readonly spareNodes: number;
  readonly devicesPerNode: number;
  /** Data-parallel replicas, each on as many nodes. */
  readonly replicas: number;
  readonly policy: FleetPolicy;
  readonly stepUs: number;
  readonly checkpoint: {
    readonly everySteps: number;
    readonly keep: number;
    /** How long a save stops the job. */
    readonly blockingUs: number;
    /** From its beginning until it counts. */
    readonly writeUs: number;
  };
  /** Until a failure is noticed, by how it shows. */
  readonly detectUs: { readonly crash: number; readonly hang: number };
  /** From the notice until the job computes again, with all nodes there. */
  readonly restartUs: number;
  /** `replica`: how long the other replicas stall. */
  readonly stallUs: number;
  /** The job ends after so many; null: it goes on until the horizon. */
  readonly steps: number | null;
}

export const fleetNodesMax = 2 ** 17;

/** Why nothing can be simulated for this job, in one sentence; undefined where it can. */
export function fleetJobProblem(job: FleetJob): string | undefined {
  const { nodes, spareNodes, replicas, devicesPerNode, checkpoint, stepUs } = job;
  const wholes = { nodes, replicas, "devices of a node": devicesPerNode };
  for (const [name, value] of Object.entries(wholes)) {
    if (!Number.isSafeInteger(value) || value < 1) return `${value} is no number of ${name}`;
  }
  if (!Number.isSafeInteger(spareNodes) || spareNodes < 0 || nodes + spareNodes > fleetNodesMax) {
    return `A fleet has at most ${fleetNodesMax} nodes with its spares`;
  }
  if (nodes % replicas !== 0) return `${nodes} nodes cannot be ${replicas} replicas of one size`;
  const { everySteps, keep, blockingUs, writeUs } = checkpoint;
  const times = { step: stepUs, restart: job.restartUs, stall: job.stallUs, ...job.detectUs };
  for (const [name, value] of Object.entries({ ...times, blockingUs, writeUs })) {
    if (!Number.isSafeInteger(value) || value < 0) return `${name} takes no ${value} µs`;
  }
  if (stepUs < 1 || everySteps < 1 || keep < 1) return "A job steps, saves, and keeps a checkpoint";
  if (writeUs < blockingUs) return "A save stops the job no longer than until it is written";
  if (everySteps * stepUs + blockingUs < writeUs) {
    return "A save must be written before the next one begins: save less often";
  }
  return undefined;
}

export function assertFleetJob(job: FleetJob): void {
  assert.equal(fleetJobProblem(job), undefined);
}
