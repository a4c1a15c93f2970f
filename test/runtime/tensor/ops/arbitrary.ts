import fc from "fast-check";
import { type DType, roundTo } from "../../../../src/runtime/tensor/dtype/index.ts";

/**
 * Finite values of a dtype that make sums hard: of every magnitude, subnormals, both zeros, and
 * neighbours that nearly cancel.
 */
export function hardValue(dtype: DType): fc.Arbitrary<number> {
  const raw = dtype === "f64" ? fc.double({ noNaN: true, noDefaultInfinity: true }) : smallFloat();
  return raw
    .map((value) => roundTo(dtype, value))
    .map((value) => (Number.isFinite(value) ? value : 1));
}

function smallFloat(): fc.Arbitrary<number> {
  return fc.oneof(
    fc.float({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(1, -1, 1 + 2 ** -23, -1 - 2 ** -7, 1e8, -1e8, 2 ** -149, -(2 ** -24), 0, -0),
    fc.double({ min: -4, max: 4, noNaN: true }),
  );
}

/** Two matrices that can be multiplied, as flat lists. */
export function hardMatrices(
  dtype: DType,
): fc.Arbitrary<{ m: number; k: number; n: number; a: number[]; b: number[] }> {
  const size = fc.record({
    m: fc.integer({ min: 1, max: 3 }),
    k: fc.integer({ min: 1, max: 12 }),
    n: fc.integer({ min: 1, max: 3 }),
  });
  const list = (length: number) =>
    fc.array(hardValue(dtype), { minLength: length, maxLength: length });
  return size.chain((dims) => {
    return fc.record({
      m: fc.constant(dims.m),
      k: fc.constant(dims.k),
      n: fc.constant(dims.n),
      a: list(dims.m * dims.k),
      b: list(dims.k * dims.n),
    });
  });
}
