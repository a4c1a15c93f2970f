import { describe, expect, it } from "vitest";
import { createChangingProductCheck } from "../../../../src/runtime/cuda/ops/changing-product-check.ts";
import { flipBit, matmul } from "../../../../src/runtime/cuda/ops/index.ts";
import { CudaTensor, toDevice } from "../../../../src/runtime/cuda/tensor/index.ts";
import { noFake } from "../device/on-fake.ts";
import { hostRandom } from "../tensor/on-fake-tensors.ts";
import { fromRows, k, m, n, products, topBit } from "./changing-products.ts";

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
    using check = createChangingProductCheck({ device, m, k, n, z: 4, blockWarps: 8 });
    const { a, b } = pair(1);
    const c = matmul(a, b);
    check.check({ a, b, c });
    expect(check.result().wrongRows).toBe(0);
    for (let row = 0; row < m; row++) {
      flipBit(device, { buffer: c.buffer, bit: topBit(row, (37 * row) % n, n) });
    }
    check.check({ a, b, c });
    expect(check.result()).toMatchObject({ wrongProducts: 1, wrongRows: m });
  });

  it("adds up rows of more steps than are in flight at once", () => {
    const { device } = products();
    // Eight warps have 32 steps of b and c in flight and 16 of a: the next ones go round again, the last alone.
    const [inner, columns] = [19 * 32, 37 * 32];
    const made = (shape: readonly number[], seed: number) => {
      const from = toDevice(hostRandom(shape, { dtype: "f32", seed }), device);
      return { from, to: CudaTensor.allocate(device, { dtype: "bf16", shape }) };
    };
    const [left, right] = [made([2, inner], 1), made([inner, columns], 2)];
    const [a, b] = [left.to, right.to];
    const sides = { m: 2, k: inner, n: columns };
    using check = createChangingProductCheck({ device, ...sides, blockWarps: 8 });
    check.expect({ a, b, aFrom: left.from, bFrom: right.from });
    const c = matmul(a, b);
    check.judge(c);
    expect(check.result()).toMatchObject({ checks: 1, wrongRows: 0 });
    flipBit(device, { buffer: c.buffer, bit: topBit(1, columns - 1, columns) - 1 });
    check.check({ a, b, c });
    expect(check.result()).toMatchObject({ wrongRows: 1, first: { check: 1, row: 1 } });
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

  // The fake does nothing on a stream before somebody waits for it: what was not waited for shows.
  it("makes an expectation without waiting for judgements on another stream", () => {
    const { device, pair } = products();
    using stream = device.createStream({ priority: "low" });
    using check = createChangingProductCheck({ device, m, k, n, ahead: 2 });
    const { a, b } = pair(1);
    const c = matmul(a, b);
    const right = c.toHost().toRaw();
    check.expect({ a, b });
    flipBit(device, { buffer: c.buffer, bit: topBit(5, 5, n), stream });
    check.judge(c, { stream });
    check.expect({ a, b });
    device.stream.synchronize();
    expect(c.toHost().toRaw()).toEqual(right);
    stream.synchronize();
    expect(c.toHost().toRaw()).not.toEqual(right);
    expect(check.result()).toMatchObject({ checks: 1, wrongRows: 1 });
  });

  it("judges no product before its expectation is made, and makes none where one still waits", () => {
    const { device, pair } = products();
    using stream = device.createStream({ priority: "low" });
    using check = createChangingProductCheck({ device, m, k, n, ahead: 1 });
    const [one, two] = [pair(1), pair(2)];
    const made = [matmul(one.a, one.b), matmul(two.a, two.b)] as const;
    device.synchronize();
    check.expect(one);
    check.judge(made[0], { stream });
    stream.synchronize();
    check.expect(two);
    check.judge(made[1], { stream });
    check.expect(one);
    device.stream.synchronize();
    expect(check.result()).toMatchObject({ checks: 2, wrongProducts: 0 });
  });

  it("writes factors from f32 as a conversion does, and expects what it wrote", () => {
    const { device } = products();
    const wide = (shape: readonly number[], seed: number) =>
      toDevice(hostRandom(shape, { dtype: "f32", seed }), device);
    const empty = (shape: readonly number[]) =>
      CudaTensor.allocate(device, { dtype: "bf16", shape });
    const [aFrom, bFrom] = [wide([m, k], 1), wide([k, n], 2)];
    const [a, b] = [empty([m, k]), empty([k, n])];
    using check = createChangingProductCheck({ device, m, k, n });
    check.expect({ a, b, aFrom, bFrom });
    expect(a.toHost().toRaw()).toEqual(aFrom.to("bf16").toHost().toRaw());
    expect(b.toHost().toRaw()).toEqual(bFrom.to("bf16").toHost().toRaw());
    check.judge(matmul(a, b));
    expect(check.result()).toMatchObject({ checks: 1, wrongRows: 0 });
    check.expect({ a, b, aFrom, bFrom });
    flipBit(device, { buffer: a.buffer, bit: topBit(39, 95, k) });
    check.judge(matmul(a, b));
    expect(check.result()).toMatchObject({ wrongRows: 1, first: { check: 1, row: 39 } });
  });

  it("checks one band of rows of each product in turn, where it is told to", () => {
    const { device, pair } = products();
    using check = createChangingProductCheck({ device, m, k, n, bands: 2 });
    const { a, b } = pair(6);
    const c = matmul(a, b);
    flipBit(device, { buffer: c.buffer, bit: topBit(35, 12, n) });
    check.check({ a, b, c });
    expect(check.result()).toMatchObject({ checks: 1, wrongRows: 0 });
    check.check({ a, b, c });
    expect(check.result()).toMatchObject({ wrongRows: 1, first: { check: 1, row: 35 } });
    check.expect({ a, b });
    check.judge(c);
    check.expect({ a, b });
    check.judge(c);
    expect(check.result()).toMatchObject({ checks: 4, wrongRows: 2, wrongProducts: 2 });
    const wide = toDevice(hostRandom([m, k], { dtype: "f32", seed: 1 }), device);
    expect(() => check.expect({ a, b, aFrom: wide })).toThrow("all of a factor");
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
