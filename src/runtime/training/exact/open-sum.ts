import assert from "node:assert/strict";
import { allocateRaw, type DType, encodeInto } from "../../tensor/dtype/index.ts";
import { Tensor } from "../../tensor/index.ts";
import { type LimbLayout, limbBits, limbLayoutOf } from "../../tensor/ops/exact/limb-layout.ts";
import { carryLimbs } from "../../tensor/ops/exact/limbs.ts";
import { roundLimbs } from "../../tensor/ops/exact/round-limbs.ts";
import type { ExactTensor } from "../../tensor/ops/index.ts";

/**
 * An `ExactTensor` whose limbs are not carried yet: sums of it are made by adding limbs, in any order
 * and on any rank, and only who rounds at last pays for the normal form. Up to 2^18 of them can be
 * added: each limb of one is below 2^35.
 */
export interface OpenSum {
  /** Of the values that were multiplied or added; it fixes what each limb is worth. */
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** f64, the shape and one more dimension, as in `ExactTensor`. */
  readonly limbs: Tensor;
}

export function openSumOf({ dtype, shape, limbs }: ExactTensor): OpenSum {
  return { dtype, shape, limbs };
}

/** The sum, exactly. */
export function addOpen(one: OpenSum, other: OpenSum): OpenSum {
  const [own, theirs] = [one.limbs.toRaw(), other.limbs.toRaw()] as [Float64Array, Float64Array];
  assert(own.length === theirs.length && one.dtype === other.dtype, "sums of the same kind");
  const sum = new Float64Array(own.length);
  for (let i = 0; i < sum.length; i++) sum[i] = (own[i] as number) + (theirs[i] as number);
  return { ...one, limbs: Tensor.over(sum, { dtype: "f64", shape: one.limbs.shape }) };
}

/** Each sum rounded once to `dtype`: what `ExactTensor.round` gives. */
export function roundOpen({ dtype: from, shape, limbs }: OpenSum, dtype: DType): Tensor {
  const layout = limbLayoutOf(from);
  const all = limbs.toRaw() as Float64Array;
  const values = new Float64Array(all.length / layout.width);
  for (let i = 0; i < values.length; i++) values[i] = roundAt(all, i * layout.width, layout, dtype);
  return encoded(values, { dtype, shape });
}

/** Doubles from `roundAt` as a tensor: the second half of the one rounding. */
export function encoded(
  values: Float64Array,
  { dtype, shape }: { readonly dtype: DType; readonly shape: readonly number[] },
): Tensor {
  const raw = allocateRaw(dtype, values.length);
  encodeInto(dtype, values, 0, values.length, raw);
  return Tensor.over(raw, { dtype, shape });
}

const scratch = new Float64Array(256);

/**
 * The sum at `base` as a double from which one rounding gives the sum in `dtype`. Only the limbs that
 * are used are looked at: most sums fill three of nineteen. Limbs may come from a device that is
 * wrong, so those that are no whole numbers are cut, or make the sum NaN.
 */
export function roundAt(
  limbs: Float64Array,
  base: number,
  { lowestExponent, limbs: count }: LimbLayout,
  dtype: DType,
): number {
  const special = limbs[base + count] as number;
  if (special !== 0) return special;
  let top = count - 1;
  while (top >= 0 && limbs[base + top] === 0) top--;
  if (top < 0) return 0;
  let bottom = 0;
  while (limbs[base + bottom] === 0) bottom++;
  const used = top - bottom + 1;
  for (let i = 0; i < used; i++) {
    const limb = limbs[base + bottom + i] as number;
    if (!Number.isFinite(limb)) return Number.NaN;
    scratch[i] = Math.trunc(limb);
  }
  // Two more: one for what is carried out of the top, one for Inf and NaN.
  scratch[used] = 0;
  scratch[used + 1] = 0;
  const window = {
    lowestExponent: lowestExponent + limbBits * bottom,
    limbs: used + 1,
    width: used + 2,
  };
  carryLimbs(scratch, 0, window);
  return roundLimbs(scratch, 0, window, dtype);
}
