import { createRng } from "../../../src/platform/rng/index.ts";
import type { ScalingSample } from "../../../src/runtime/scaling/fits/index.ts";

export const doublings = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/** One run for each count, with the throughput of a law of N = devices / the first count. */
export function samplesBy(
  capacity: (relativeDevices: number) => number,
  devices: readonly number[] = doublings,
): readonly ScalingSample[] {
  const base = devices[0] ?? 1;
  return devices.map((count) => ({
    devices: count,
    timesS: [10 / capacity(count / base)],
    work: 1,
  }));
}

/** Runs whose times lie around a law's, normal in their logarithms. @param noise standard deviation, of 1 */
export function noisySamplesBy(
  capacity: (relativeDevices: number) => number,
  options: {
    readonly devices: readonly number[];
    readonly runs: number;
    readonly noise: number;
    readonly seed: number;
  },
): readonly ScalingSample[] {
  const stream = createRng(options.seed).stream("noise");
  const normal = () =>
    Math.sqrt(-2 * Math.log(1 - stream.float())) * Math.cos(2 * Math.PI * stream.float());
  return samplesBy(capacity, options.devices).map((sample) => ({
    ...sample,
    timesS: Array.from(
      { length: options.runs },
      () => (sample.timesS[0] ?? 0) * Math.exp(options.noise * normal()),
    ),
  }));
}

export const uslOf = (sigma: number, kappa: number) => (n: number) =>
  n / (1 + sigma * (n - 1) + kappa * n * (n - 1));
export const amdahlOf = (s: number) => (n: number) => 1 / (s + (1 - s) / n);
export const gustafsonOf = (s: number) => (n: number) => n - s * (n - 1);
