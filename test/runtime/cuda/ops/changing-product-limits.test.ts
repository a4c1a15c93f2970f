import { describe, expect, it } from "vitest";
import { createChangingProductCheck } from "../../../../src/runtime/cuda/ops/changing-product-check.ts";
import { flipBit, matmul } from "../../../../src/runtime/cuda/ops/index.ts";
import { toDevice } from "../../../../src/runtime/cuda/tensor/index.ts";
import { fromValues, type Tensor } from "../../../../src/runtime/tensor/index.ts";
import { noFake } from "../device/on-fake.ts";
import { hostRandom, hostWhole } from "../tensor/on-fake-tensors.ts";
import { fromRows, k, m, n, products, topBit } from "./changing-products.ts";

describe.skipIf(noFake !== "")(`what a product of new factors may be off by${noFake}`, () => {
  it("loses nothing of whole numbers: exact products pass with next to no tolerance", () => {
    const { device } = products();
    const upload = (tensor: Tensor) => toDevice(tensor, device);
    const one = upload(fromValues(oneHot(20, 32), { dtype: "bf16" }));
    const whole = upload(hostWhole([32, 1056], { dtype: "bf16", range: 100 }));
    using check = createChangingProductCheck({ device, m: 20, k: 32, n: 1056, z: 0.001 });
    const c = matmul(one, whole);
    check.check({ a: one, b: whole, c });
    expect(check.result()).toMatchObject({ checks: 1, wrongRows: 0 });
    // The lowest bit of a large element is more than that tolerance.
    const column = (c.toHost().toArray() as number[][])[13]?.findIndex((value) => value >= 64);
    flipBit(device, { buffer: c.buffer, bit: 16 * (13 * 1056 + (column ?? 0)) });
    check.check({ a: one, b: whole, c });
    expect(check.result()).toMatchObject({ wrongRows: 1, first: { check: 1, row: 13 } });
  });

  it("calls products wrong that are not finite", () => {
    const { device, pair } = products();
    using check = createChangingProductCheck({ device, m, k, n });
    const { a, b } = pair(4);
    const c = matmul(a, b);
    const at = 16 * (5 * n + 6);
    for (let bit = 0; bit < 15; bit++) {
      const set = ((c.toHost().toRaw() as Uint16Array)[5 * n + 6] as number) >> bit;
      if ((set & 1) === 0) flipBit(device, { buffer: c.buffer, bit: at + bit });
    }
    check.check({ a, b, c });
    expect(check.result()).toMatchObject({ wrongRows: 1, first: { row: 5 } });
  });

  it("passes products that round as far as they can, all alike", () => {
    const { device } = products();
    const upload = (tensor: Tensor) => toDevice(tensor, device);
    // 257 lies halfway between two numbers of bf16: every element of c is off by as much as one can be.
    const a = upload(fromRows(filled([m, 64], (_, at) => (at === 0 ? 257 - 63 : 1))));
    const ones = upload(fromRows(filled([64, n], () => 1)));
    using check = createChangingProductCheck({ device, m, k: 64, n });
    const c = matmul(a, ones);
    for (let at = 0; at < 8; at++) check.check({ a, b: ones, c });
    expect(check.result()).toMatchObject({ checks: 8, wrongRows: 0 });
    flipBit(device, { buffer: c.buffer, bit: topBit(3, 7, n) - 1 });
    check.check({ a, b: ones, c });
    expect(check.result()).toMatchObject({ wrongRows: 1, first: { check: 8, row: 3 } });
  });

  it("passes rows that cancel to what f32 loses, and finds an error in them", () => {
    const { device } = products();
    const half = hostRandom([k / 2, n], { dtype: "bf16", seed: 8 }).toArray() as number[][];
    const left = hostRandom([m, k / 2], { dtype: "bf16", seed: 9 }).toArray() as number[][];
    const b = toDevice(fromRows([...half, ...half]), device);
    const a = toDevice(fromRows(left.map((row) => [...row, ...row.map((x) => -x)])), device);
    using check = createChangingProductCheck({ device, m, k, n });
    const c = matmul(a, b);
    check.check({ a, b, c });
    expect(check.result()).toMatchObject({ checks: 1, wrongRows: 0 });
    flipBit(device, { buffer: c.buffer, bit: topBit(4, 4, n) });
    check.check({ a, b, c });
    expect(check.result()).toMatchObject({ wrongRows: 1, first: { row: 4 } });
  });

  it("passes products so small that their squares are nothing in f32", () => {
    const { device } = products();
    const scaled = (shape: readonly number[], seed: number) => {
      const rows = hostRandom(shape, { dtype: "bf16", seed }).toArray() as number[][];
      return toDevice(fromRows(rows.map((row) => row.map((x) => x * 2 ** -40))), device);
    };
    const [a, b] = [scaled([m, k], 1), scaled([k, n], 2)];
    using check = createChangingProductCheck({ device, m, k, n });
    const c = matmul(a, b);
    check.check({ a, b, c });
    expect(check.result()).toMatchObject({ checks: 1, wrongRows: 0 });
    flipBit(device, { buffer: c.buffer, bit: topBit(4, 4, n) });
    check.check({ a, b, c });
    expect(check.result()).toMatchObject({ wrongRows: 1, first: { row: 4 } });
  });
});

function filled(
  [rows = 0, columns = 0]: readonly number[],
  valueOf: (row: number, column: number) => number,
): number[][] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => valueOf(row, column)),
  );
}

function oneHot(rows: number, columns: number): number[][] {
  return filled([rows, columns], (row, column) => (column === (7 * row) % columns ? 1 : 0));
}
