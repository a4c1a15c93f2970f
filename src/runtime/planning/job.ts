import assert from "node:assert/strict";

/**
 * A job as the theory of checkpoints sees it. Failures come at random with a constant rate, during
 * saves and restarts too; after each the job goes on from its newest finished save. All in seconds.
 */
export interface CheckpointJob {
  /** Mean time between failures of the whole job, not of one node. */
  readonly mtbfS: number;
  /** How long a save stops the job. Above 0. */
  readonly blockingS: number;
  /** From the beginning of a save until it counts: `blockingS` for one that is not asynchronous, else more. */
  readonly writeS: number;
  /** From the discovery of a failure until the job computes again. */
  readonly restartS: number;
  /** From a failure until it is discovered; what is computed meanwhile is lost. */
  readonly detectS: number;
}

/** How long a save goes on behind the job's back: 0 where saving stops the job until it is done. */
export function backgroundS({ writeS, blockingS }: CheckpointJob): number {
  return writeS - blockingS;
}

/** From a failure until the job computes again, when no other failure comes in between. */
export function outageS({ detectS, restartS }: CheckpointJob): number {
  return detectS + restartS;
}

/** The shortest computing between two saves: the next cannot begin before the last is written. */
export function shortestComputeS(job: CheckpointJob): number {
  return backgroundS(job);
}

/** Stops where a number is none that a job can have: callers check what users gave. */
export function assertJob(job: CheckpointJob): void {
  const { mtbfS, blockingS, writeS, restartS, detectS } = job;
  assert(Number.isFinite(mtbfS) && mtbfS > 0, "a job's mean time between failures is above 0");
  assert(Number.isFinite(writeS) && blockingS > 0, "a save stops the job for a moment at least");
  assert(writeS >= blockingS, "a save takes as long as it stops the job, or longer");
  assert(Number.isFinite(restartS) && restartS >= 0, "a restart takes no less than no time");
  assert(Number.isFinite(detectS) && detectS >= 0, "a failure is found after it happened");
}
