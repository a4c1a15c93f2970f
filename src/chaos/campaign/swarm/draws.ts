import assert from "node:assert/strict";
import { exp, log } from "../../../runtime/tensor/math/index.ts";
import type { ChanceStream } from "../../chance/index.ts";

/** One of a list, each equally likely. */
export function pick<T>(stream: ChanceStream, list: readonly T[]): T {
  assert(list.length > 0, "there is something to pick from");
  return list[stream.int(list.length)] as T;
}

/** Every order of magnitude between two bounds is equally likely. */
export function logUniform(stream: ChanceStream, low: number, high: number): number {
  assert(low > 0 && high >= low, "bounds are above 0 and in order");
  return low * exp(log(high / low) * stream.float());
}

/** The same, rounded to two digits that people can read. */
export function logUniformUs(stream: ChanceStream, lowUs: number, highUs: number): number {
  const us = logUniform(stream, lowUs, highUs);
  let unit = 1;
  for (let digits = 0; digits < 12 && us / unit >= 100; digits++) unit *= 10;
  return Math.min(Math.max(Math.round(us / unit) * unit, Math.ceil(lowUs)), Math.floor(highUs));
}

/** From low to high, both included. */
export function whole(stream: ChanceStream, low: number, high: number): number {
  assert(high >= low, "bounds are in order");
  return low + stream.int(high - low + 1);
}
