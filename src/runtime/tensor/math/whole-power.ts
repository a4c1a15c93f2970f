import assert from "node:assert/strict";

/** base^exponent by multiplications alone, which have the same bits everywhere. */
export function wholePower(base: number, exponent: number): number {
  assert(Number.isSafeInteger(exponent) && exponent >= 0, "an exponent is a whole number from 0");
  let result = 1;
  let factor = base;
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result *= factor;
    factor *= factor;
  }
  return result;
}
