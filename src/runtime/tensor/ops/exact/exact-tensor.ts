import { allocateRaw, type DType, encodeInto } from "../../dtype/index.ts";
import { carryLimbs, doubleOf, productLayoutOf, type SumLayout } from "../../fixed-point/index.ts";
import { formatShape, sameShape, shapeError, sizeOf } from "../../shape.ts";
import { Tensor } from "../../tensor.ts";

/** Limbs of a fresh sum are below 2^35: so many of them add up in a double with room to spare. */
const addedMax = 2 ** 17;

/**
 * A tensor of sums that nothing has been rounded away from yet, for work that is split along the
 * dimension it sums over: row-parallel matmuls, data-parallel and micro-batched weight gradients.
 *
 * Every element is a fixed-point number, a list of 32-bit limbs, each a whole number in a double of
 * its own. That makes partial sums composable:
 *
 * - the limbs of a sum are the sums of the limbs, and adding up to 2^20 partial sums limb by limb
 *   is exact in f64. So `limbs`, an ordinary f64 tensor, can go through any all-reduce (any order,
 *   any algorithm) and comes out with the same bits;
 * - `round` then rounds once, so the result is the correctly rounded sum of all the products, which
 *   is what the unsplit computation with `accumulate: "exact"` gives, bit for bit.
 *
 * Rounding the parts to f64 first and adding then would not do: it rounds twice, and the bits would
 * depend on the split.
 */
export class ExactTensor {
  /** The dtype of the values that were multiplied or added. It fixes what each limb is worth. */
  readonly dtype: DType;
  readonly shape: readonly number[];
  /**
   * As `limbs`, as they came about: whoever only adds and rounds need not pay for the normal form. Up
   * to 2^17 fresh ones add up exactly. The same sum may have other open limbs.
   */
  readonly openLimbs: Tensor;
  /** Fresh sums that are in this one; Infinity for limbs that came from elsewhere. */
  readonly #added: number;
  #limbs: Tensor | undefined;

  private constructor(dtype: DType, openLimbs: Tensor, added: number) {
    this.dtype = dtype;
    this.shape = openLimbs.shape.slice(0, -1);
    this.openLimbs = openLimbs;
    this.#added = added;
  }

  /**
   * The sums that these limbs are: those of an `ExactTensor`, or the sum of several, limb by limb.
   * Throws E_SHAPE when they are not limbs for summands of `dtype`.
   */
  static fromLimbs(limbs: Tensor, { dtype }: { readonly dtype: DType }): ExactTensor {
    const { width } = productLayoutOf(dtype);
    if (limbs.dtype !== "f64" || limbs.shape.at(-1) !== width) {
      throw shapeError(
        "ExactTensor.fromLimbs",
        `sums of ${dtype} are f64 with ${width} limbs in the last dimension, not ${limbs.dtype} ${formatShape(limbs.shape)}`,
      );
    }
    return new ExactTensor(dtype, limbs.contiguous(), Infinity);
  }

  /** Takes over an array of limbs below 2^35 that nobody else writes to any more. */
  static over(
    raw: Float64Array,
    { dtype, shape }: { readonly dtype: DType; readonly shape: readonly number[] },
  ): ExactTensor {
    return new ExactTensor(dtype, limbTensor(raw, { dtype, shape }), 1);
  }

  /**
   * f64, the shape and one more dimension: the limbs from small to large, then Inf or NaN or 0. In
   * normal form: equal sums have equal limbs, however they came about.
   */
  get limbs(): Tensor {
    this.#limbs ??= limbTensor(carried(rawOf(this), this.dtype), this);
    return this.#limbs;
  }

  /** The sum, exactly. Throws E_SHAPE unless shape and dtype are the same. */
  plus(other: ExactTensor): ExactTensor {
    if (!sameShape(this.shape, other.shape) || this.dtype !== other.dtype) {
      throw shapeError(
        "ExactTensor.plus",
        `${this.dtype} ${formatShape(this.shape)} and ${other.dtype} ${formatShape(other.shape)} are not alike`,
      );
    }
    const together = this.#added + other.#added;
    const isOpen = together <= addedMax;
    const own = isOpen ? rawOf(this) : (this.limbs.toRaw() as Float64Array);
    const added = isOpen ? rawOf(other) : (other.limbs.toRaw() as Float64Array);
    const sum = new Float64Array(own.length);
    for (let i = 0; i < sum.length; i++) sum[i] = (own[i] as number) + (added[i] as number);
    return new ExactTensor(this.dtype, limbTensor(sum, this), isOpen ? together : 2);
  }

  /** Each sum rounded once, to nearest with ties to even, to `dtype`. A sum of zero is +0. */
  round(dtype: DType): Tensor {
    const layout = productLayoutOf(this.dtype);
    const limbs = rawOf(this);
    const values = new Float64Array(sizeOf(this.shape));
    for (let i = 0; i < values.length; i++) {
      values[i] = doubleAt(limbs, i * layout.width, layout, dtype);
    }
    return encoded(values, { dtype, shape: this.shape });
  }
}

/** The sum at `base`, see `doubleOf`; Inf and NaN come out as the doubles' own sum of them. */
export function doubleAt(
  limbs: Float64Array,
  base: number,
  layout: SumLayout,
  dtype: DType,
): number {
  const special = limbs[base + layout.limbs] as number;
  return special === 0 ? doubleOf(limbs, base, layout, dtype) : special;
}

/** Doubles from `doubleAt` as a tensor: the second half of the one rounding. */
export function encoded(
  values: Float64Array,
  { dtype, shape }: { readonly dtype: DType; readonly shape: readonly number[] },
): Tensor {
  const raw = allocateRaw(dtype, values.length);
  encodeInto(dtype, values, 0, values.length, raw);
  return Tensor.over(raw, { dtype, shape });
}

function rawOf({ openLimbs }: ExactTensor): Float64Array {
  return openLimbs.toRaw() as Float64Array;
}

function limbTensor(
  raw: Float64Array,
  { dtype, shape }: { readonly dtype: DType; readonly shape: readonly number[] },
): Tensor {
  return Tensor.over(raw, { dtype: "f64", shape: [...shape, productLayoutOf(dtype).width] });
}

function carried(limbs: Float64Array, dtype: DType): Float64Array {
  const raw = Float64Array.from(limbs);
  const { width, limbs: count } = productLayoutOf(dtype);
  for (let base = 0; base < raw.length; base += width) carryLimbs(raw, base, count);
  return raw;
}
