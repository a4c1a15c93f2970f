import assert from "node:assert/strict";

/** How much values grow from one to the next, by least squares. */
export function slopeOf(values: readonly number[]): number {
  assert(values.length >= 2, "a slope needs two values");
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let [over, under] = [0, 0];
  for (const [at, value] of values.entries()) {
    over += (at - middle) * (value - mean);
    under += (at - middle) ** 2;
  }
  return over / under;
}
