import { assertJob, backgroundS, type CheckpointJob, outageS } from "./job.ts";

/** Above this share of the time between failures, the first-order form is off by more than about 0.01. */
export const firstOrderLoadMax = 0.15;

export interface ExpectedEttr {
  readonly ettr: number;
  /** N·r_f·(u₀ + Δt/2): the share of time that failures take. The form holds where it is far below 1. */
  readonly load: number;
  /** Whether it does: `load` is at most 0.15. */
  readonly holds: boolean;
}

/** Meta's closed form, (1 − N·r_f·(u₀ + Δt/2)) / (1 + w/Δt); never below 0. */
export function expectedEttr(job: CheckpointJob, computeS: number): ExpectedEttr {
  assertJob(job);
  const { mtbfS, blockingS } = job;
  const load = (outageS(job) + backgroundS(job) + computeS / 2) / mtbfS;
  const ettr = Math.max(0, (1 - load) / (1 + blockingS / computeS));
  return { ettr, load, holds: load <= firstOrderLoadMax };
}
