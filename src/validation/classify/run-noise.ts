import { type Series, valuesOf } from "./series.ts";
import { ascending, madSigma, madToSigma, medianOf } from "./stats/robust.ts";
import { tailDegrees } from "./tail-degrees.ts";

/** How much the runs of one node scatter. */
export interface RunNoise {
  readonly sigma: number;
  /** The weight of the tails as Student's degrees of freedom. */
  readonly tailDegrees: number;
}

const pairsMin = 12;

/**
 * Noise between runs of a node. Two views, of which the smaller is believed: differences between
 * runs, which the decay of some nodes does not disturb, and distances from the node's middle,
 * which an incident on one day of all nodes does not. Undefined when too little was repeated.
 */
export function runNoise(allSeries: readonly Series[]): RunNoise | undefined {
  const near: number[] = [];
  const far: number[] = [];
  const fromMiddle: number[] = [];
  for (const series of allSeries) {
    const values = valuesOf(series);
    const lag = Math.max(1, Math.floor(values.length / 2));
    addDifferences(near, values, 1);
    addDifferences(far, values, lag);
    addDistances(fromMiddle, values);
  }
  if (near.length < pairsMin) return undefined;
  const ofDifferences = Math.max(madSigma(near, 0), madSigma(far, 0));
  const sigma = Math.min(ofDifferences, medianOf(fromMiddle));
  return { sigma, tailDegrees: tailDegrees(ascending(near.map(Math.abs)), sigma) };
}

function addDifferences(all: number[], values: readonly number[], lag: number): void {
  for (let at = lag; at < values.length; at++) {
    all.push(((values[at] ?? 0) - (values[at - lag] ?? 0)) / Math.SQRT2);
  }
}

/**
 * Adds the distances from the median of a node's own runs, each scaled so that their median is the
 * standard deviation of normal noise.
 */
function addDistances(all: number[], values: readonly number[]): void {
  const { length } = values;
  if (length < 2) return;
  const middle = medianOf(values);
  const distances = values.map((value) => Math.abs(value - middle));
  // Of an odd number one run is the median itself, and its distance of 0 says nothing.
  if (length % 2 === 1) {
    const least = distances.reduce((left, right) => Math.min(left, right));
    distances.splice(distances.indexOf(least), 1);
  }
  const scale =
    length % 2 === 1 ? 1.47 : (evenScales.get(length) ?? madToSigma * (1 + 1.3 / length));
  for (const distance of distances) all.push(scale * distance);
}

/** The median of an even number lies between two runs and is nearer to both (by simulation). */
const evenScales: ReadonlyMap<number, number> = new Map([
  [2, 2.09],
  [4, 2.065],
  [6, 1.893],
  [8, 1.774],
  [10, 1.696],
]);
