import assert from "node:assert/strict";
import type { RngStream } from "../../../platform/rng/index.ts";
import { median, quantile } from "./curve.ts";
import type { Interval, ScalingSample } from "./types.ts";

/** From so many runs on, a count is drawn from its own; fewer hold too little of their spread. */
const ownRunsMin = 5;
/** No run takes e^10 times another: keeps draws from a hardly known spread finite. */
const exponentMax = 10;

/**
 * Draws every count again, with as many runs as it had. Counts with few runs, or one, borrow the
 * relative distances that runs of all counts have: two runs of their own would promise too much.
 */
export function createRunDraw(
  samples: readonly ScalingSample[],
  stream: RngStream,
): () => readonly ScalingSample[] {
  const borrowed = samples.flatMap(({ timesS }) => distancesOf(timesS));
  const freedoms = samples.reduce((sum, { timesS }) => sum + timesS.length - 1, 0);
  assert(freedoms >= 1, "a count has several runs");
  return () => {
    const spread = drawSpread(freedoms, stream);
    return samples.map((sample) => {
      const { timesS } = sample;
      if (timesS.length >= ownRunsMin) {
        return { ...sample, timesS: timesS.map(() => stream.pick(timesS)) };
      }
      const middle = median(timesS);
      const again = () => middle * boundedExp(spread * stream.pick(borrowed));
      return { ...sample, timesS: timesS.map(again) };
    });
  };
}

/** Logarithms of runs over their middle, as far apart as those of many runs would be. */
function distancesOf(timesS: readonly number[]): readonly number[] {
  const runs = timesS.length;
  if (runs < 2) return [];
  const logs = timesS.map(Math.log);
  const mean = logs.reduce((sum, log) => sum + log, 0) / runs;
  return logs.map((log) => (log - mean) * Math.sqrt(runs / (runs - 1)));
}

/**
 * Throughputs around a law, drawn from how far those that were seen lie from it. A law with as many
 * free values as points lies on all of them, so what is left is widened by what it bent away.
 *
 * @param laid.freedoms free values of the law; fewer than there are points
 */
export function drawAround(
  laid: {
    readonly seen: readonly number[];
    readonly fitted: readonly number[];
    readonly freedoms: number;
  },
  stream: RngStream,
): readonly number[] {
  const { seen, fitted, freedoms } = laid;
  const left = seen.length - freedoms;
  assert(left >= 1, "a law leaves points to judge it by");
  const distances = seen.map((value, at) => Math.log(value / (fitted[at] ?? value)));
  const wider = Math.sqrt(seen.length / left) * drawSpread(left, stream);
  return fitted.map((value) => value * boundedExp(wider * stream.pick(distances)));
}

/** The true spread that may be behind a seen one, of it: with few freedoms it is hardly known (Student). */
function drawSpread(freedoms: number, stream: RngStream): number {
  const exponential = () => -2 * Math.log(1 - stream.float());
  let squares = 0;
  for (let pair = 0; pair < freedoms >> 1; pair++) squares += exponential();
  if (freedoms % 2 === 1) squares += exponential() * Math.cos(2 * Math.PI * stream.float()) ** 2;
  return Math.sqrt(freedoms / Math.max(squares, Number.MIN_VALUE));
}

function boundedExp(exponent: number): number {
  return Math.exp(Math.min(exponentMax, Math.max(-exponentMax, exponent)));
}

/** Where the middle share of all values lies. */
export function intervalOf(values: readonly number[], level: number): Interval {
  assert(level > 0 && level < 1, "a level lies between 0 and 1");
  const tail = (1 - level) / 2;
  return { low: quantile(values, tail), high: quantile(values, 1 - tail) };
}
