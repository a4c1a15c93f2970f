import assert from "node:assert/strict";
import type { CudaDevice } from "../../../../src/runtime/cuda/index.ts";
import { createChangingProductCheck } from "../../../../src/runtime/cuda/ops/changing-product-check.ts";
import { flipBit, matmul } from "../../../../src/runtime/cuda/ops/index.ts";
import { CudaTensor, randomOnCuda } from "../../../../src/runtime/cuda/tensor/index.ts";

/** Sides that fill no block, that leave steps over, and of the size the check is for. */
const shapes = [
  [40, 96, 160],
  [333, 1056, 2080],
  [512, 4096, 4096],
] as const;

/**
 * The check of products by the tensor cores themselves, which the fake GPU only imitates: right products
 * pass, a flipped bit is found and its row named, factors are rounded as a conversion does.
 */
export function changingProducts(device: CudaDevice): string {
  let flips = 0;
  for (const [m, k, n] of shapes) {
    for (const blockWarps of [8, 16] as const) flips += proveOne(device, { m, k, n, blockWarps });
  }
  return `${flips} flipped bits in products of ${shapes.map((sides) => sides.join("x")).join(", ")}`;
}

interface OneProof {
  readonly m: number;
  readonly k: number;
  readonly n: number;
  readonly blockWarps: 8 | 16;
}

function proveOne(device: CudaDevice, { m, k, n, blockWarps }: OneProof): number {
  const made = (shape: readonly number[], stream: string) =>
    randomOnCuda(shape, { device, dtype: "f32", spec: { kind: "normal", seed: "proof", stream } });
  using aFrom = made([m, k], "a");
  using bFrom = made([k, n], "b");
  using a = CudaTensor.allocate(device, { dtype: "bf16", shape: [m, k] });
  using b = CudaTensor.allocate(device, { dtype: "bf16", shape: [k, n] });
  using check = createChangingProductCheck({ device, m, k, n, blockWarps });
  check.expect({ a, b, aFrom, bFrom });
  sameBits(a, aFrom);
  sameBits(b, bFrom);
  using c = matmul(a, b);
  check.judge(c);
  check.check({ a, b, c });
  assert.equal(check.result().wrongRows, 0, `right products of ${m}x${k}x${n} pass`);
  const values = c.toHost().toRaw() as Uint16Array;
  const rows = [0, 1, 7, 8, 15, 16, 31, m - 1];
  for (const [at, row] of rows.entries()) {
    // The second bit of the exponent of a number from 2 on: with it, the number is 2^64 as large.
    const column = columnAbove(values.subarray(row * n, (row + 1) * n), (97 * at) % n);
    const bit = 16 * (row * n + column) + 13;
    flipBit(device, { buffer: c.buffer, bit });
    using fresh = createChangingProductCheck({ device, m, k, n, blockWarps, seed: at });
    fresh.check({ a, b, c });
    flipBit(device, { buffer: c.buffer, bit });
    fresh.check({ a, b, c });
    const found = { checks: 2, wrongProducts: 1, wrongRows: 1, first: { check: 0, row } };
    assert.deepEqual(fresh.result(), found, `element ${row}, ${column} of ${m}x${k}x${n}`);
  }
  return rows.length;
}

/** The first column from one on whose number is 2 or more, of either sign. */
function columnAbove(bits: Uint16Array, from: number): number {
  const isLarge = (at: number) => ((bits[at] ?? 0) & 0x7fff) >= 0x4000;
  const found = bits.findIndex((_, at) => isLarge((from + at) % bits.length));
  assert(found >= 0, "a row has a number from 2 on");
  return (from + found) % bits.length;
}

function sameBits(rounded: CudaTensor, from: CudaTensor): void {
  using wanted = from.to("bf16");
  const bytes = (x: CudaTensor) => Buffer.from((x.toHost().toRaw() as Uint16Array).buffer);
  assert(bytes(rounded).equals(bytes(wanted)), "factors are rounded as a conversion does");
}
