import type { DType } from "../../../../runtime/tensor/index.ts";
import type { MatrixFormat } from "../engine/formats.ts";

/** How far a value may be from its reference. */
export interface Tolerance {
  /** Times the reference. */
  readonly relative: number;
  readonly absolute: number;
}

/** Of a stored result, each rounded once to its format; the usual ones of deep-learning tests. */
const stored: Partial<Readonly<Record<DType, Tolerance>>> = {
  f64: { relative: 1e-7, absolute: 1e-7 },
  f32: { relative: 1.3e-6, absolute: 1e-5 },
  f16: { relative: 1e-3, absolute: 1e-5 },
  bf16: { relative: 1.6e-2, absolute: 1e-5 },
};

/** @throws Error for a format that no results are stored in. */
export function toleranceOf(dtype: DType): Tolerance {
  const found = stored[dtype];
  if (found === undefined) throw new Error(`no tolerance is known for ${dtype}`);
  return found;
}

/**
 * What a sum of products may be off by, as a share of the sum of their magnitudes: in f32 by its
 * order, in tf32 and fp8 by what the hardware drops of each term.
 */
const ofMagnitudes: Readonly<Record<MatrixFormat, number>> = {
  f64: 1e-14,
  f32: 2e-6,
  tf32: 2e-3,
  f16: 2e-6,
  bf16: 2e-6,
  e4m3: 2e-3,
  e5m2: 2e-3,
  i8: 0,
};

/** The error that is allowed for a sum of products: that of its order, and one rounding. */
export function productTolerance(
  format: MatrixFormat,
  dtype: DType,
  magnitudes: number,
): Tolerance {
  const { relative } = toleranceOf(dtype);
  return { relative, absolute: ofMagnitudes[format] * magnitudes };
}

/** Whether a value is near enough to its reference. NaN never is. */
export function isNear(
  found: number,
  expected: number,
  { relative, absolute }: Tolerance,
): boolean {
  return Math.abs(found - expected) <= absolute + relative * Math.abs(expected);
}

/** Values beside their references, with one tolerance for all. */
export function firstFarFrom(
  found: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance: Tolerance,
): { readonly at: number; readonly wrong: number } | undefined {
  let at = -1;
  let wrong = found.length === expected.length ? 0 : 1;
  if (wrong > 0) at = Math.min(found.length, expected.length);
  for (let i = 0; i < Math.min(found.length, expected.length); i++) {
    if (isNear(found[i] as number, expected[i] as number, tolerance)) continue;
    wrong++;
    if (at < 0 || i < at) at = i;
  }
  return at < 0 ? undefined : { at, wrong };
}
