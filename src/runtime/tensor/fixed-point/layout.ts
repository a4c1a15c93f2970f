import { type DType, dtypeInfo } from "../dtype/index.ts";

/** Bits of one limb. A double holds 53, so many sums of limbs stay exact before a carry is due. */
export const limbBits = 32;

/** A sum in limbs: whole numbers in doubles, limb c worth 2^(lowestExponent + 32 c). */
export interface LimbLayout {
  /** The exponent of the smallest bit that a summand can have. */
  readonly lowestExponent: number;
  readonly limbs: number;
}

/** Limbs, and after them one double that is 0, or the Inf or NaN that the summands brought along. */
export interface SumLayout extends LimbLayout {
  /** Doubles of one sum: the limbs and the place of Inf and NaN. */
  readonly width: number;
}

// Above the largest summand, so that sums have room; the uppermost limb has 21 bits more.
const headroomBits = 16;

const layouts = new Map<DType, SumLayout>();

/** The layout that holds sums of products of two values of a dtype; single values fit as well. */
export function productLayoutOf(dtype: DType): SumLayout {
  let layout = layouts.get(dtype);
  if (layout === undefined) {
    const { minExponent, maxExponent } = dtypeInfo(dtype);
    const lowestExponent = 2 * minExponent;
    const bits = 2 * (maxExponent + 1) - lowestExponent + headroomBits;
    const limbs = Math.ceil(bits / limbBits);
    layout = { lowestExponent, limbs, width: limbs + 1 };
    layouts.set(dtype, layout);
  }
  return layout;
}
