import assert from "node:assert/strict";
import { exp, log } from "../../../runtime/tensor/math/index.ts";
import { betaShare } from "./beta.ts";

export interface Interval {
  readonly low: number;
  readonly high: number;
}

const halvings = 60;

/** The exact interval of a rate that was seen as so many of so many; [0, 1] of none. */
export function clopperPearson(
  successes: number,
  attempts: number,
  confidence: number = 0.95,
): Interval {
  assert(successes >= 0 && successes <= attempts, "no more successes than attempts");
  const outside = (1 - confidence) / 2;
  const failures = attempts - successes;
  return {
    low: successes === 0 ? 0 : betaQuantile(outside, successes, failures + 1),
    high: failures === 0 ? 1 : betaQuantile(1 - outside, successes + 1, failures),
  };
}

function betaQuantile(share: number, a: number, b: number): number {
  let low = 0;
  let high = 1;
  for (let round = 0; round < halvings; round++) {
    const middle = (low + high) / 2;
    if (betaShare(middle, a, b) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * What so many runs without a single failure prove: the success rate that is exceeded at this confidence.
 * 299 prove 99 % at 95 %.
 */
export function provenRate(runsWithoutFailure: number, confidence: number = 0.95): number {
  if (runsWithoutFailure <= 0) return 0;
  return exp(log(1 - confidence) / runsWithoutFailure);
}
