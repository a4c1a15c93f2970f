import assert from "node:assert/strict";
import type { ChaosPlan, RecoveryPolicy, Timeouts } from "../plan/index.ts";
import type { Slot } from "./messages.ts";

export interface JobShape {
  readonly dp: number;
  readonly tp: number;
  readonly pp: number;
}

/** What a coordinator has to know about its job. */
export interface CoordinatorOptions {
  readonly shape: JobShape;
  readonly steps: number;
  /** Samples in a step. With fewer replicas it must still divide, or the job is another one. */
  readonly batch: number;
  readonly microBatches: number;
  /** Committed checkpoints that stay. */
  readonly keep: number;
  readonly policy: RecoveryPolicy;
  readonly timeouts: Timeouts;
  /** Without a step for so long, everybody being there, the job counts as hung. */
  readonly progressUs: number;
  /** All slots of the fleet, spares included. */
  readonly slots: number;
  readonly slotsPerNode: number;
  /** In the order in which they are taken. */
  readonly spares: readonly Slot[];
}

/** What a worker has to know about its job. */
export interface WorkerOptions {
  readonly steps: number;
  /** 0 saves nothing. */
  readonly saveEverySteps: number;
  readonly asynchronousSaves: boolean;
  /** Beside these, before each save; 0 compares nothing. */
  readonly compareEverySteps: number;
}

/** Steps as long as this many of the planned ones are still no hang. */
const slowestStepFactor = 5;

/** The options of a plan's coordinator. The plan must be one of a training job. */
export function coordinatorOptionsOf(plan: ChaosPlan): CoordinatorOptions {
  const { workload, fleet, timeouts } = plan;
  assert(workload.kind === "training", "only training jobs have a coordinator");
  const jobSlots = fleet.nodes * fleet.devicesPerNode;
  const slots = (fleet.nodes + fleet.spareNodes) * fleet.devicesPerNode;
  return {
    shape: workload.shape,
    steps: workload.steps,
    batch: workload.job.batch,
    microBatches: workload.job.microBatches ?? 1,
    keep: workload.checkpoint.keep,
    policy: workload.policy,
    timeouts,
    // Longer than all that may rightly happen between two steps: a rank that is waited for, and a save.
    progressUs:
      2 * timeouts.collectiveUs + timeouts.saveUs + slowestStepFactor * workload.pace.computeUs,
    slots,
    slotsPerNode: fleet.devicesPerNode,
    spares: Array.from({ length: slots - jobSlots }, (_, at) => jobSlots + at),
  };
}

/** The options of a plan's workers. */
export function workerOptionsOf(plan: ChaosPlan): WorkerOptions {
  const { workload } = plan;
  assert(workload.kind === "training", "only training jobs have workers");
  return {
    steps: workload.steps,
    saveEverySteps: workload.checkpoint.everySteps,
    asynchronousSaves: workload.checkpoint.asynchronous,
    compareEverySteps: workload.policy.compareEverySteps,
  };
}
