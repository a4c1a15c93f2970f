import { allocateRaw, type DType, encodeInto } from "../../dtype/index.ts";
import { formatShape, sameShape, shapeError, sizeOf } from "../../shape.ts";
import { Tensor } from "../../tensor.ts";
import { limbLayoutOf } from "./limb-layout.ts";
import { carryLimbs } from "./limbs.ts";
import { roundLimbs } from "./round-limbs.ts";

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
 * depend on the split. Limbs are in normal form, so equal sums also have equal limbs.
 */
export class ExactTensor {
  /** The dtype of the values that were multiplied or added. It fixes what each limb is worth. */
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** f64, the shape and one more dimension: the limbs from small to large, then Inf or NaN or 0. */
  readonly limbs: Tensor;

  private constructor(dtype: DType, limbs: Tensor) {
    this.dtype = dtype;
    this.shape = limbs.shape.slice(0, -1);
    this.limbs = limbs;
  }

  /**
   * The sums that these limbs are: those of an `ExactTensor`, or the sum of several, limb by limb.
   * Brings them to normal form. Throws E_SHAPE when they are not limbs for summands of `dtype`.
   */
  static fromLimbs(limbs: Tensor, { dtype }: { readonly dtype: DType }): ExactTensor {
    const layout = limbLayoutOf(dtype);
    if (limbs.dtype !== "f64" || limbs.shape.at(-1) !== layout.width) {
      throw shapeError(
        "ExactTensor.fromLimbs",
        `sums of ${dtype} are f64 with ${layout.width} limbs in the last dimension, not ${limbs.dtype} ${formatShape(limbs.shape)}`,
      );
    }
    return ExactTensor.over(Float64Array.from(limbs.toRaw()), {
      dtype,
      shape: limbs.shape.slice(0, -1),
    });
  }

  /** Takes over a fresh array of limbs, carries them, and owns it from then on. */
  static over(
    raw: Float64Array,
    { dtype, shape }: { readonly dtype: DType; readonly shape: readonly number[] },
  ): ExactTensor {
    const layout = limbLayoutOf(dtype);
    for (let base = 0; base < raw.length; base += layout.width) carryLimbs(raw, base, layout);
    return new ExactTensor(
      dtype,
      Tensor.over(raw, { dtype: "f64", shape: [...shape, layout.width] }),
    );
  }

  /** The sum, exactly. Throws E_SHAPE unless shape and dtype are the same. */
  plus(other: ExactTensor): ExactTensor {
    if (!sameShape(this.shape, other.shape) || this.dtype !== other.dtype) {
      throw shapeError(
        "ExactTensor.plus",
        `${this.dtype} ${formatShape(this.shape)} and ${other.dtype} ${formatShape(other.shape)} are not alike`,
      );
    }
    const sum = Float64Array.from(this.limbs.toRaw());
    const added = other.limbs.toRaw();
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (added[i] as number);
    return ExactTensor.over(sum, { dtype: this.dtype, shape: this.shape });
  }

  /** Each sum rounded once, to nearest with ties to even, to `dtype`. A sum of zero is +0. */
  round(dtype: DType): Tensor {
    const layout = limbLayoutOf(this.dtype);
    const limbs = this.limbs.toRaw() as Float64Array;
    const size = sizeOf(this.shape);
    const values = new Float64Array(size);
    for (let i = 0; i < size; i++) values[i] = roundLimbs(limbs, i * layout.width, layout, dtype);
    const raw = allocateRaw(dtype, size);
    encodeInto(dtype, values, 0, size, raw);
    return Tensor.over(raw, { dtype, shape: this.shape });
  }
}
