import { assertJob, type CheckpointJob } from "./job.ts";

/** Young's interval, √(2δM): good while a save is short against the time between failures. */
export function youngIntervalS(job: CheckpointJob): number {
  assertJob(job);
  return Math.sqrt(2 * job.blockingS * job.mtbfS);
}

/** Daly's interval, Young's with two more terms; M once a save takes longer than 2M. */
export function dalyIntervalS(job: CheckpointJob): number {
  assertJob(job);
  const { blockingS, mtbfS } = job;
  if (blockingS >= 2 * mtbfS) return mtbfS;
  const share = blockingS / (2 * mtbfS);
  return youngIntervalS(job) * (1 + Math.sqrt(share) / 3 + share / 9) - blockingS;
}
