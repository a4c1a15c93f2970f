import assert from "node:assert/strict";
import { assertJob, type CheckpointJob, outageS } from "./job.ts";

/**
 * The interval of NVIDIA's availability objective (arXiv 2410.18124): saves follow each other after
 * T_c = T_s + √(2(T_f+T_r)T_s + T_s²), the save itself included, and not faster than errors are
 * found. @returns the computing between saves, which is T_c without T_s
 */
export function availabilityIntervalS(job: CheckpointJob): number {
  assertJob(job);
  const { blockingS, mtbfS, detectS } = job;
  const computeS = Math.sqrt(2 * (mtbfS + outageS(job)) * blockingS + blockingS ** 2);
  return Math.max(computeS, detectS - blockingS);
}

/** The availability that this objective counts: T_f / (T_f + T_r + T_c/2), less the time of saves. */
export function availabilityOf(job: CheckpointJob, computeS: number): number {
  assertJob(job);
  const { blockingS, mtbfS } = job;
  const periodS = computeS + blockingS;
  return ((1 - blockingS / periodS) * mtbfS) / (mtbfS + outageS(job) + periodS / 2);
}

/**
 * How many checkpoints to keep, so that two are older than an error can stay unseen: those of that
 * time may all hold it, and the next older one may be damaged by itself.
 * @param periodS from one save to the next, @param unseenS how long an error may stay unseen
 */
export function checkpointsToKeep(periodS: number, unseenS: number): number {
  assert(
    periodS > 0 && unseenS >= 0,
    "saves follow each other, and errors are found after they happen",
  );
  return Math.ceil(unseenS / periodS) + 2;
}
