import { describe, expect, it } from "vitest";
import { createProductCheck, flipBit, matmul } from "../../../../src/runtime/cuda/ops/index.ts";
import { CudaTensor, toDevice } from "../../../../src/runtime/cuda/tensor/index.ts";
import { withFakeEnv } from "../../../support/fake-cuda/index.ts";
import { noFake, openFake } from "../device/on-fake.ts";
import { hostRandom } from "../tensor/on-fake-tensors.ts";

function factors() {
  const device = openFake();
  const make = (shape: readonly number[], seed: number) =>
    toDevice(hostRandom(shape, { dtype: "bf16", kind: "uniform", seed }), device);
  return { device, a: make([96, 64], 1), b: make([64, 272], 2) };
}

describe.skipIf(noFake !== "")(`the check of products${noFake}`, () => {
  it("finds nothing wrong in right products, on any stream", () => {
    const { device, a, b } = factors();
    using stream = device.createStream({ priority: "high" });
    using check = createProductCheck({ a, b });
    const c = matmul(a, b);
    device.synchronize();
    for (let at = 0; at < 3; at++) check.check(c, { stream });
    const nothing = { checks: 3, wrongProducts: 0, wrongRows: 0, first: undefined };
    expect(check.result()).toEqual(nothing);
  });

  it("finds the lowest bit of any element from the second product on", () => {
    const { device, a, b } = factors();
    using check = createProductCheck({ a, b });
    const c = matmul(a, b);
    check.check(c);
    check.check(c);
    flipBit(device, { buffer: c.buffer, bit: 16 * (41 * 272 + 271) });
    check.check(c);
    expect(check.result()).toEqual({
      checks: 3,
      wrongProducts: 1,
      wrongRows: 1,
      first: { check: 2, row: 41 },
    });
    flipBit(device, { buffer: c.buffer, bit: 16 * (40 * 272) });
    check.check(c);
    expect(check.result()).toMatchObject({
      wrongProducts: 2,
      wrongRows: 3,
      first: { check: 2, row: 41 },
    });
  });

  it("finds a large error in the first product, by the sums alone", () => {
    const { device, a, b } = factors();
    using check = createProductCheck({ a, b });
    const c = matmul(a, b);
    // The highest bit of the exponent.
    flipBit(device, { buffer: c.buffer, bit: 16 * (7 * 272 + 5) + 14 });
    check.check(c);
    expect(check.result()).toMatchObject({ wrongProducts: 1, first: { check: 0, row: 7 } });
  });

  it("finds a product that the GPU got wrong", () => {
    const { a, b } = factors();
    using check = createProductCheck({ a, b });
    const out = matmul(a, b);
    check.check(out);
    expect(check.result().wrongRows).toBe(0);
    withFakeEnv({ FAKE_CUDA_FLIP: `0:gemm:1:${16 * (3 * 272 + 9)}` });
    matmul(a, b, { out });
    check.check(out);
    expect(check.result()).toMatchObject({ wrongProducts: 1, first: { check: 1, row: 3 } });
  });

  it("takes transposed factors, a scale and a longer format of the product", () => {
    const { device, a, b } = factors();
    const how = { transposeA: true, transposeB: true, alpha: 0.5 };
    const [turned, other] = [a.transpose(), b.transpose()];
    using check = createProductCheck({ ...how, a: turned, b: other, dtype: "f32" });
    const out = CudaTensor.allocate(device, { dtype: "f32", shape: [96, 272] });
    check.check(matmul(turned, other, { ...how, out, outDtype: "f32" }));
    expect(check.result().wrongRows).toBe(0);
    check.check(matmul(turned, other, { ...how, alpha: 1, out, outDtype: "f32" }));
    expect(check.result().wrongRows).toBe(96);
  });

  it("refuses rows that are no multiple of sixteen bytes, and frees what it took", () => {
    const { device, a } = factors();
    const b = toDevice(hostRandom([64, 9], { dtype: "bf16" }), device);
    const before = device.memory.accounts().buffers;
    expect(() => createProductCheck({ a, b })).toThrow("rows of the result are multiples of 16");
    createProductCheck({ a, b: a.transpose() }).free();
    expect(device.memory.accounts().buffers).toBe(before + 1);
  });
});
