import assert from "node:assert/strict";
import { assertJob, backgroundS, type CheckpointJob, outageS, shortestComputeS } from "./job.ts";

/** Where the time of a job goes. Shares of all time; together 1. */
export interface TimeSplit {
  /** Computing that is still in the result at the end: the ETTR, queueing left out. */
  readonly productive: number;
  /** Saves that counted. */
  readonly saving: number;
  /** Computed, or saved, after the save that the job went back to. */
  readonly lostWork: number;
  readonly detection: number;
  readonly restart: number;
}

/**
 * The exact share of time that is productive with `computeS` of computing between saves: Daly's
 * τ / (M·e^(R/M)·(e^((τ+δ)/M) − 1)). A save that goes on for w seconds behind the job's back delays
 * what counts by w, which costs as much as a restart that is w longer.
 */
export function ettrOf(job: CheckpointJob, computeS: number): number {
  assertJob(job);
  assert(computeS > 0, "a job computes between saves");
  const { mtbfS, blockingS } = job;
  const delays = Math.exp((outageS(job) + backgroundS(job)) / mtbfS);
  return computeS / (mtbfS * delays * Math.expm1((computeS + blockingS) / mtbfS));
}

/** The same share and what became of the rest. @param computeS computing between saves, above 0 */
export function timeSplit(job: CheckpointJob, computeS: number): TimeSplit {
  assertJob(job);
  assert(computeS > 0, "a job computes between saves");
  const { mtbfS, blockingS, detectS, restartS } = job;
  const periodS = computeS + blockingS;
  // For each save that counts: so many failures, and so much time.
  const failures = Math.exp(backgroundS(job) / mtbfS) * Math.expm1(periodS / mtbfS);
  const attempts = Math.exp(outageS(job) / mtbfS);
  const totalS = failures * mtbfS * attempts;
  if (!Number.isFinite(totalS)) return hopeless;
  return {
    productive: computeS / totalS,
    saving: blockingS / totalS,
    lostWork: Math.max(0, failures * mtbfS - periodS) / totalS,
    // Each outage starts over when a failure comes before its end.
    detection: -Math.expm1(-detectS / mtbfS),
    restart: (failures * mtbfS * Math.expm1(restartS / mtbfS)) / totalS,
  };
}

/** So many failures that no save is ever reached, as far as numbers go. */
const hopeless: TimeSplit = { productive: 0, saving: 0, lostWork: 1, detection: 0, restart: 0 };

const halvingsMax = 200;

/**
 * The computing between saves that gives most: where 1 − e^(−(τ+δ)/M) = τ/M. Not below what an
 * asynchronous save needs; the share rises up to the best and falls from there on.
 */
export function exactIntervalS(job: CheckpointJob): number {
  assertJob(job);
  const { mtbfS, blockingS } = job;
  const best = halve(0, mtbfS, (tau) => -Math.expm1(-(tau + blockingS) / mtbfS) > tau / mtbfS);
  return Math.max(best, shortestComputeS(job));
}

/** A stretch of intervals. */
export interface IntervalRange {
  readonly fromS: number;
  readonly toS: number;
}

/** The intervals whose share is within `within` of the best one's: how flat the optimum is. @param within 0.01 is 1 % */
export function flatRange(job: CheckpointJob, within: number): IntervalRange {
  assert(within > 0 && within < 1, "a share of the best is between 0 and 1");
  const best = exactIntervalS(job);
  const enough = ettrOf(job, best) * (1 - within);
  const shortest = shortestComputeS(job);
  const fromS = halve(shortest, best, (tau) => tau === 0 || ettrOf(job, tau) < enough);
  let high = best * 2;
  for (let doublings = 0; doublings < halvingsMax && ettrOf(job, high) >= enough; doublings++) {
    high *= 2;
  }
  return { fromS, toS: halve(best, high, (tau) => ettrOf(job, tau) >= enough) };
}

/** Where a condition that holds at first stops to hold. */
function halve(from: number, to: number, holds: (value: number) => boolean): number {
  let [low, high] = [from, to];
  for (let step = 0; step < halvingsMax; step++) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return high;
}
