import assert from "node:assert/strict";
import { exp, log } from "../../runtime/tensor/math/index.ts";
import type { ChanceStream } from "../chance/index.ts";

/** The deviation of the logarithm of a log-normal variable with this median and mean. */
export function logNormalSigma(median: number, mean: number): number {
  assert(median > 0 && mean >= median, "a heavy tail lifts the mean above the median");
  return Math.sqrt(2 * log(mean / median));
}

/** Waiting times with a mean of 1: a shape below 1 comes in bursts, 1 has no memory. */
export function waitingTimes(shape: number): (stream: ChanceStream) => number {
  assert(shape > 0 && shape <= 10, "a shape is above 0 and at most 10");
  if (shape === 1) return (stream) => stream.exponential(1);
  const scale = 1 / gamma(1 + 1 / shape);
  return (stream) => stream.weibull(scale, shape);
}

/** Every order of magnitude between two values is equally likely. */
export function logUniform(stream: ChanceStream, min: number, max: number): number {
  assert(min > 0 && max >= min, "orders of magnitude lie between two values above 0");
  return min * exp(stream.float() * log(max / min));
}

const productMax = 64;

/** Euler's gamma for what Weibull means need: Stirling's series where it is exact to 13 digits. */
export function gamma(value: number): number {
  assert(value > 0 && value < productMax, "the gamma function is asked for small values above 0");
  // Γ(x) = Γ(x + n) / (x (x + 1) … (x + n − 1)), and the series is good above 16.
  let divisor = 1;
  let x = value;
  for (; x < 16; x++) divisor *= x;
  const inverse = 1 / x;
  const square = inverse * inverse;
  const series = inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680)));
  const logGamma = (x - 0.5) * log(x) - x + 0.5 * log(2 * Math.PI) + series;
  return exp(logGamma) / divisor;
}
