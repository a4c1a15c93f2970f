import { describe, expect, it } from "vitest";
import { createChangingProductCheck } from "../../../../src/runtime/cuda/ops/changing-product-check.ts";
import { flipBit, matmul } from "../../../../src/runtime/cuda/ops/index.ts";
import { toDevice } from "../../../../src/runtime/cuda/tensor/index.ts";
import { fromValues, type Tensor } from "../../../../src/runtime/tensor/index.ts";
import { noFake, openFake } from "../device/on-fake.ts";
import { hostRandom, hostWhole } from "../tensor/on-fake-tensors.ts";

const [m, k, n] = [40, 96, 160];

function products() {
  const device = openFake();
  const make = (shape: readonly number[], seed: number) =>
    toDevice(hostRandom(shape, { dtype: "bf16", seed }), device);
  const pair = (at: number) => ({ a: make([m, k], 2 * at), b: make([k, n], 2 * at + 1) });
  return { device, pair };
}

/** The highest bit of the exponent of an element, counted from the start of the buffer. */
const topBit = (row: number, column: number, columns: number) => 16 * (row * columns + column) + 14;

describe.skipIf(noFake !== "")(`the check of products of new factors each time${noFake}`, () => {
  it("finds nothing wrong in right products, on any streams, with rows that fill no block", () => {
    const { device, pair } = products();
    using stream = device.createStream({ priority: "low" });
    using check = createChangingProductCheck({ device, m, k, n });
    for (let at = 0; at < 5; at++) {
      const { a, b } = pair(at);
      const c = matmul(a, b);
      device.synchronize();
      check.check({ a, b, c }, at % 2 === 0 ? {} : { stream });
    }
    const nothing = { checks: 5, wrongProducts: 0, wrongRows: 0, first: undefined };
    expect(check.result()).toEqual(nothing);
  });

  it("finds a flipped bit of a product, and names the check and the row", () => {
    const { device, pair } = products();
    using check = createChangingProductCheck({ device, m, k, n });
    for (let at = 0; at < 4; at++) {
      const { a, b } = pair(at);
      const c = matmul(a, b);
      if (at === 2) flipBit(device, { buffer: c.buffer, bit: topBit(39, 159, n) });
      check.check({ a, b, c });
    }
    expect(check.result()).toEqual({
      checks: 4,
      wrongProducts: 1,
      wrongRows: 1,
      first: { check: 2, row: 39 },
    });
  });

  it("finds every wrong row, wherever in it the error is", () => {
    const { device, pair } = products();
    using check = createChangingProductCheck({ device, m, k, n });
    const { a, b } = pair(1);
    const c = matmul(a, b);
    for (let row = 0; row < m; row++) {
      flipBit(device, { buffer: c.buffer, bit: topBit(row, (37 * row) % n, n) });
    }
    check.check({ a, b, c });
    expect(check.result()).toMatchObject({ wrongProducts: 1, wrongRows: m });
  });

  it("adds up rows of more steps than are in flight at once", () => {
    const { device } = products();
    const make = (shape: readonly number[], seed: number) =>
      toDevice(hostRandom(shape, { dtype: "bf16", seed }), device);
    const side = 1056;
    using check = createChangingProductCheck({ device, m: 2, k: side, n: side });
    const [a, b] = [make([2, side], 1), make([side, side], 2)];
    const c = matmul(a, b);
    check.check({ a, b, c });
    expect(check.result()).toMatchObject({ checks: 1, wrongRows: 0 });
    flipBit(device, { buffer: c.buffer, bit: topBit(1, 1055, side) });
    check.check({ a, b, c });
    expect(check.result()).toMatchObject({ wrongRows: 1, first: { check: 1, row: 1 } });
  });

  it("loses nothing of whole numbers: exact products pass with next to no tolerance", () => {
    const { device } = products();
    const upload = (tensor: Tensor) => toDevice(tensor, device);
    const one = upload(fromValues(oneHot(20, 32), { dtype: "bf16" }));
    const whole = upload(hostWhole([32, 1056], { dtype: "bf16", range: 100 }));
    using check = createChangingProductCheck({ device, m: 20, k: 32, n: 1056, z: 0.001 });
    const c = matmul(one, whole);
    check.check({ a: one, b: whole, c });
    expect(check.result()).toMatchObject({ checks: 1, wrongRows: 0 });
    // The lowest bit of any element is more than that tolerance.
    flipBit(device, { buffer: c.buffer, bit: 16 * (13 * 1056 + 700) });
    check.check({ a: one, b: whole, c });
    expect(check.result()).toMatchObject({ wrongRows: 1, first: { check: 1, row: 13 } });
  });

  it("finds a factor that changed after what to expect was made", () => {
    const { device, pair } = products();
    using check = createChangingProductCheck({ device, m, k, n });
    const { a, b } = pair(5);
    check.expect({ a, b });
    check.judge(matmul(a, b));
    expect(check.result()).toMatchObject({ checks: 1, wrongProducts: 0 });
    check.expect({ a, b });
    flipBit(device, { buffer: a.buffer, bit: topBit(9, 4, k) });
    check.judge(matmul(a, b));
    expect(check.result()).toMatchObject({
      wrongProducts: 1,
      wrongRows: 1,
      first: { check: 1, row: 9 },
    });
  });

  it("does not find it where the checksum is made of the changed factor", () => {
    const { device, pair } = products();
    using check = createChangingProductCheck({ device, m, k, n });
    const { a, b } = pair(5);
    flipBit(device, { buffer: a.buffer, bit: topBit(9, 4, k) - 7 });
    check.check({ a, b, c: matmul(a, b) });
    expect(check.result()).toMatchObject({ checks: 1, wrongProducts: 0 });
  });

  it("lets several expectations wait, and takes them in order", () => {
    const { device, pair } = products();
    using check = createChangingProductCheck({ device, m, k, n, ahead: 2 });
    const [one, two] = [pair(1), pair(2)];
    check.expect(one);
    check.expect(two);
    expect(() => check.expect(one)).toThrow("room to wait");
    expect(() => check.check({ ...one, c: one.a })).toThrow("no expectation waits");
    check.judge(matmul(one.a, one.b));
    check.judge(matmul(one.a, one.b));
    expect(check.result()).toMatchObject({ checks: 2, wrongProducts: 1, first: { check: 1 } });
    expect(() => check.judge(one.a)).toThrow("waits for its product");
  });

  it("finds errors that cancel in a plain sum", () => {
    const { device, pair } = products();
    using check = createChangingProductCheck({ device, m, k, n });
    const { a, b } = pair(3);
    const swapped = b.toHost().toArray() as number[][];
    for (const row of swapped) [row[3], row[130]] = [row[130] as number, row[3] as number];
    const c = matmul(a, toDevice(fromRows(swapped), device));
    for (let at = 0; at < 4; at++) check.check({ a, b, c });
    // One in sixteen sets of signs is the same in both columns four times.
    expect(check.result().wrongProducts).toBeGreaterThanOrEqual(3);
  });

  it("takes a factor of the products, and finds the wrong one", () => {
    const { device, pair } = products();
    const { a, b } = pair(3);
    using check = createChangingProductCheck({ device, m, k, n, alpha: 0.5 });
    check.check({ a, b, c: matmul(a, b, { alpha: 0.5 }) });
    expect(check.result().wrongProducts).toBe(0);
    check.check({ a, b, c: matmul(a, b) });
    expect(check.result().wrongProducts).toBe(1);
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

  it("refuses sides that are no multiples of 32, and frees what it took", () => {
    const { device } = products();
    const before = device.memory.accounts().buffers;
    expect(() => createChangingProductCheck({ device, m, k: 33, n })).toThrow("multiples of 32");
    expect(() => createChangingProductCheck({ device, m, k, n: 16 })).toThrow("multiples of 32");
    const check = createChangingProductCheck({ device, m, k, n });
    expect(device.memory.accounts().inUseBytes).toBeGreaterThanOrEqual(check.bytes);
    check.free();
    expect(device.memory.accounts().buffers).toBe(before);
  });
});

function fromRows(rows: readonly (readonly number[])[]) {
  return fromValues(rows, { dtype: "bf16" });
}

function oneHot(rows: number, columns: number): number[][] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => (column === (7 * row) % columns ? 1 : 0)),
  );
}
