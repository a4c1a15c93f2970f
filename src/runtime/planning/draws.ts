import assert from "node:assert/strict";
import type { RngStream } from "../../platform/rng/index.ts";

/** A standard normal value. */
export function normal(stream: RngStream): number {
  const radius = Math.sqrt(-2 * Math.log(1 - stream.float()));
  return radius * Math.cos(2 * Math.PI * stream.float());
}

/** A value above 0 around a median; `uncertainty` is its standard deviation as a share of its mean. */
export function logNormal(
  stream: RngStream,
  { median, uncertainty }: { readonly median: number; readonly uncertainty: number },
): number {
  return median * Math.exp(Math.sqrt(Math.log1p(uncertainty ** 2)) * normal(stream));
}

// Each try is taken with a chance above 0.95.
const triesMax = 256;

/** A gamma value of scale 1 (Marsaglia and Tsang, "A simple method for generating gamma variables", 2000). */
export function gamma(stream: RngStream, shape: number): number {
  assert(shape > 0, "the shape of a gamma distribution is above 0");
  if (shape < 1) return gamma(stream, shape + 1) * (1 - stream.float()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (let tries = 0; tries < triesMax; tries++) {
    const x = normal(stream);
    const v = (1 + c * x) ** 3;
    if (v <= 0) continue;
    if (Math.log(1 - stream.float()) < x ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
  assert.fail("a gamma value is found after a few tries");
}

/** Waiting times with a mean of 1. A shape below 1: failures cluster; 1: no memory; above: they wear in. */
export function weibull(shape: number): (stream: RngStream) => number {
  assert(shape > 0, "the shape of a Weibull distribution is above 0");
  const mean = gammaFunction(1 + 1 / shape);
  return (stream) => (-Math.log(1 - stream.float())) ** (1 / shape) / mean;
}

// Lanczos' approximation with g = 7 and nine terms: fifteen digits for arguments above 1/2.
const lanczos = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
];

function gammaFunction(x: number): number {
  const z = x - 1;
  const t = z + 7.5;
  let sum = 0.9999999999998099;
  for (const [index, term] of lanczos.entries()) sum += term / (z + index + 1);
  return Math.sqrt(2 * Math.PI) * t ** (z + 0.5) * Math.exp(-t) * sum;
}
