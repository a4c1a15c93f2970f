import assert from "node:assert/strict";
import type { RngStream } from "../../platform/rng/index.ts";
import { gamma, logNormal } from "./draws.ts";

/** How often a node stops a job, and how well that is known. */
export type FailureRate = StatedRate | ObservedFailures;

/** A rate from somewhere else. */
export interface StatedRate {
  readonly perNodeDay: number;
  /** Its standard deviation as a share of it. @default 0.32 */
  readonly uncertainty?: number;
}

/** What was seen: so many failures in so many node-days. */
export interface ObservedFailures {
  readonly failures: number;
  readonly nodeDays: number;
}

/** Llama 3 (419 events, 16,384 GPUs, 54 days); the published totals lie between 2.3 and 6.5. */
export const publishedPerNodeDay = 3.79 / 1000;

/** With this, nine of ten draws around 3.79 lie between 2.3 and 6.3, as the published totals do. */
export const statedUncertainty = 0.32;

const secondsPerDay = 86_400;

/** The mean time between failures of a job on so many nodes. */
export function jobMtbfS(perNodeDay: number, nodes: number): number {
  assert(perNodeDay > 0 && nodes > 0, "nodes fail now and then");
  return secondsPerDay / (perNodeDay * nodes);
}

/** The one rate to plan with. Half a failure where none was seen: none seen is not none to come. */
export function plannedPerNodeDay(rate: FailureRate): number {
  if ("perNodeDay" in rate) return rate.perNodeDay;
  return Math.max(rate.failures, 0.5) / rate.nodeDays;
}

/** A rate that may as well be the true one: from the posterior of what was seen (Jeffreys' prior), or around what was stated. */
export function drawPerNodeDay(rate: FailureRate, stream: RngStream): number {
  if ("perNodeDay" in rate) {
    const uncertainty = rate.uncertainty ?? statedUncertainty;
    return logNormal(stream, { median: rate.perNodeDay, uncertainty });
  }
  return gamma(stream, rate.failures + 0.5) / rate.nodeDays;
}
