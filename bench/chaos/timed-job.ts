import { parseExperiment, resolveExperiment } from "../../src/chaos/experiment/index.ts";
import type { ChaosPlan } from "../../src/chaos/plan/index.ts";

export interface TimedJobOptions {
  readonly ranks: number;
  readonly steps: number;
  /** Of one rank, with a unit. */
  readonly step: string;
  /** Silence after which a rank is lost, with a unit; it beats four times as often. */
  readonly heartbeat: string;
  /** How long a rank waits for others, with a unit. */
  readonly collective: string;
  /** Steps between saves; 0 saves nothing. */
  readonly saveEvery: number;
}

/** A healthy training job of data-parallel ranks, whose steps are only counted. */
export function timedJob(options: TimedJobOptions): ChaosPlan {
  const { ranks, steps, step, heartbeat, collective, saveEvery } = options;
  const text = `
title: A job that only counts
workload:
  kind: training
  preset: small
  mesh: { dp: ${ranks} }
  batch: ${ranks}
  steps: ${steps}
  numerics: timing
  checkpoint: { every: ${saveEvery} }
  pace: { compute: ${step} }
fleet: { devicesPerNode: 8, nodesPerRack: 9 }
timeouts: { heartbeat: ${heartbeat}, collective: ${collective} }
limits: { duration: 10000h }
`;
  return resolveExperiment(parseExperiment(text, "timed-job.yaml"), { seed: "timed job" });
}

/** The job whose events are counted by the second. */
export function shortJob(ranks: number, steps: number): ChaosPlan {
  const times = { step: "100ms", heartbeat: "2s", collective: "5s" };
  return timedJob({ ranks, steps, ...times, saveEvery: 0 });
}
