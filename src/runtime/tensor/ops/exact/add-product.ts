import { addToLimbs, type SumLayout } from "../../fixed-point/index.ts";

/**
 * Adds the product of two doubles to the sum that starts at `base`. Exact: the significands are
 * multiplied on their own, where nothing over- or underflows, as a double and its rounding error.
 */
export function addProduct(
  limbs: Float64Array,
  base: number,
  layout: SumLayout,
  [a, b]: readonly [number, number],
): void {
  const plain = a * b;
  if (a === 0 || b === 0 || !(Math.abs(a) < Infinity && Math.abs(b) < Infinity)) {
    addToLimbs(limbs, base, layout, plain);
    return;
  }
  const [x, xExponent] = significand(a);
  const [y, yExponent] = significand(b);
  const product = x * y;
  const exponent = xExponent + yExponent;
  addToLimbs(limbs, base, layout, product, exponent);
  addToLimbs(limbs, base, layout, productError(x, y, product), exponent);
}

const scratch = new Float64Array(1);
const words = new Uint32Array(scratch.buffer);

/** A finite double that is not zero as a number in [1, 2) or (-2, -1] times a power of two. */
function significand(value: number): readonly [number, number] {
  scratch[0] = value;
  let shift = 0;
  if (((words[1] as number) & 0x7ff00000) === 0) {
    scratch[0] = value * 2 ** 54;
    shift = -54;
  }
  const high = words[1] as number;
  const exponent = ((high >>> 20) & 0x7ff) - 1023 + shift;
  words[1] = (high & 0x800fffff) | 0x3ff00000;
  return [scratch[0], exponent];
}

/** x y - product, exactly: both factors cut into halves of 26 bits whose products are exact. */
function productError(x: number, y: number, product: number): number {
  const xHigh = upperHalf(x);
  const xLow = x - xHigh;
  const yHigh = upperHalf(y);
  const yLow = y - yHigh;
  return xLow * yLow - (product - xHigh * yHigh - xLow * yHigh - xHigh * yLow);
}

function upperHalf(value: number): number {
  const shifted = value * (2 ** 27 + 1);
  return shifted - (shifted - value);
}
