import { createRng, type RngStream } from "../../../platform/rng/index.ts";
import { allocateRaw } from "../../tensor/dtype/index.ts";
import { Tensor } from "../../tensor/index.ts";

/** Values that show whether an order of summation matters, or what happens at the edges of f32. */
export const inputKinds = [
  "ones",
  "random",
  "cancellation",
  "mixed magnitude",
  "subnormals",
  "NaN and infinity",
  "signed zero",
] as const;
export type InputKind = (typeof inputKinds)[number];

/** Enough for every pattern below to repeat, few enough for exact arithmetic by hand. */
export const elementsPerDevice = 193;

export interface ContributionOptions {
  readonly kind: InputKind;
  readonly seed: string;
  /** The number of the device; a device keeps its values whatever its rank is. */
  readonly device: number;
}

/** What one device hands in: f32, the same for a device in every arrangement. */
export function contribution({ kind, seed, device }: ContributionOptions): Tensor {
  const random = createRng(seed).stream("qa", kind, device);
  const raw = allocateRaw("f32", elementsPerDevice);
  for (let i = 0; i < elementsPerDevice; i++) raw[i] = valueOf[kind](random, device, i);
  return Tensor.over(raw, { dtype: "f32", shape: [elementsPerDevice] });
}

type ValueOf = (random: RngStream, device: number, index: number) => number;

const large = 1e8;

const valueOf: Readonly<Record<InputKind, ValueOf>> = {
  ones: () => 1,
  random: (random, _, i) => signed(random, i),
  // In rank order 1 + 1e8 loses the 1; the true sum keeps every one of them.
  cancellation: (_, device) => [large, 1, -large, 1][device % 4] ?? 0,
  "mixed magnitude": (random, _, i) =>
    scale(signed(random, 2 * i), (random.at(2 * i + 1) % 81) - 40),
  subnormals: (random, _, i) => scale((random.at(i) % 2047) - 1023, -149),
  "NaN and infinity": (_, device, i) => edgeValue(device, i),
  "signed zero": (_, device, i) => (i % 2 === 0 || device % 3 === 0 ? -0 : 0),
};

/** A number in [-1, 1) with 24 random bits: exactly an f32. */
function signed(random: RngStream, index: number): number {
  return (random.at(index) >>> 8) / 2 ** 23 - 1;
}

/** Exact: a power of two, and the product is an f32. */
function scale(value: number, exponent: number): number {
  return value * 2 ** exponent;
}

/** Most sums stay finite; a few meet NaN, one infinity, or both of them. */
function edgeValue(device: number, index: number): number {
  if (index % 16 === 3 && device === 3) return Number.NaN;
  if (index % 16 === 5 && device % 5 === 1) return Number.POSITIVE_INFINITY;
  if (index % 16 === 7 && device === 2) return Number.NEGATIVE_INFINITY;
  if (index % 16 === 7 && device === 4) return Number.POSITIVE_INFINITY;
  return device % 2 === 0 ? 0.1 : -0.1;
}
