import { describe, expect, it } from "vitest";
import * as onGpu from "../../../../src/runtime/cuda/ops/index.ts";
import { type DType, fromValues, ops, type Tensor } from "../../../../src/runtime/tensor/index.ts";
import { noFake, openFake } from "../device/on-fake.ts";
import { differenceOf, gpuOps, hostOps, hostRandom, uploader } from "../tensor/on-fake-tensors.ts";

const tolerances: readonly [DType, number][] = [
  ["f64", 1e-13],
  ["f32", 1e-5],
  ["bf16", 2 ** -6],
];

describe.skipIf(noFake !== "")(`rows on a GPU${noFake}`, () => {
  it.each(tolerances)("have the host's softmax and its gradients in %s", (dtype, tolerance) => {
    const up = uploader(openFake());
    for (const shape of [
      [5, 40],
      [3, 2, 13],
      [2, 1000],
    ]) {
      const x = hostRandom(shape, { dtype });
      const g = hostRandom(shape, { dtype, seed: 2 });
      for (const op of ["softmax", "logSoftmax"] as const) {
        const y = hostOps[op](x);
        expect(differenceOf(gpuOps[op](up(x)), y), op).toBeLessThan(tolerance);
        const slope = gpuOps[`${op}Backward`](up(g), up(y));
        const expected = hostOps[`${op}Backward`](g, y);
        expect(differenceOf(slope, expected), `${op}Backward`).toBeLessThan(2 * tolerance);
      }
    }
    const x = hostRandom([4, 5, 6], { dtype });
    const along = onGpu.softmax(up(x), { dim: 1 });
    expect(differenceOf(along, ops.softmax(x, { dim: 1 }))).toBeLessThan(tolerance);
  });

  it("are NaN throughout where the host's are", () => {
    const up = uploader(openFake());
    const rows = [
      [1, NaN, 2, 3],
      [1, Infinity, 2, 3],
      [-Infinity, -Infinity, -Infinity, -Infinity],
      [-Infinity, 1, 2, -Infinity],
    ];
    const x = fromValues(rows);
    expect(differenceOf(onGpu.softmax(up(x)), ops.softmax(x))).toBeLessThan(1e-6);
    expect(differenceOf(onGpu.logSoftmax(up(x)), ops.logSoftmax(x))).toBeLessThan(1e-6);
  });

  it.each(tolerances)("are normed as on the host in %s, with gradients", (dtype, tolerance) => {
    const up = uploader(openFake());
    const x = hostRandom([150, 24], { dtype });
    const g = hostRandom([150, 24], { dtype, seed: 2 });
    const gain = hostRandom([24], { dtype, seed: 3 });
    const bias = hostRandom([24], { dtype, seed: 4 });
    for (const op of ["layerNorm", "rmsNorm"] as const) {
      const found = gpuOps[op](up(x), { gain: up(gain), bias: up(bias), epsilon: 1e-3 });
      const expected = hostOps[op](x, { gain, bias, epsilon: 1e-3 });
      expect(differenceOf(found, expected), op).toBeLessThan(tolerance);
      const plain = gpuOps[op](up(x), { gain: up(gain) });
      expect(differenceOf(plain, hostOps[op](x, { gain })), op).toBeLessThan(tolerance);
      const slopes = gpuOps[`${op}Backward`](up(g), up(x), { gain: up(gain) });
      const host = hostOps[`${op}Backward`](g, x, { gain });
      const sumOf = (terms: Tensor) => ops.sum(terms, { dims: 0 }).to(dtype);
      expect(differenceOf(slopes.input, host.input)).toBeLessThan(2 * tolerance);
      expect(differenceOf(slopes.gain, sumOf(host.gainTerms))).toBeLessThan(2 * tolerance);
      expect(differenceOf(slopes.bias, sumOf(g.to("f64")))).toBeLessThan(2 * tolerance);
    }
  });

  it.each(tolerances)(
    "have the host's cross entropy and its gradient in %s",
    (dtype, tolerance) => {
      const up = uploader(openFake());
      const logits = hostRandom([3, 7, 30], { dtype });
      const targets = fromValues(
        Array.from({ length: 21 }, (_, at) => (at * 11) % 30),
        { dtype: "i32", shape: [3, 7] },
      );
      const [there, chosen] = [up(logits), up(targets)];
      const { loss, rowLosses } = onGpu.crossEntropy(there, chosen);
      const host = ops.crossEntropy(logits, targets);
      expect(Math.abs(loss - host.loss)).toBeLessThan(dtype === "f64" ? 1e-12 : 1e-6);
      expect(differenceOf(rowLosses, host.rowLosses)).toBeLessThan(1e-6);
      const slope = onGpu.crossEntropyBackward(there, chosen, { normalizer: 9 });
      const expected = ops.crossEntropyBackward(logits, targets, { normalizer: 9 });
      expect(differenceOf(slope, expected, 0.01)).toBeLessThan(tolerance);
    },
  );

  it("refuse targets that are no class, and parameters of another shape", () => {
    const up = uploader(openFake());
    const logits = up(hostRandom([2, 4]));
    const targets = up(fromValues([1, 4], { dtype: "i32" }));
    expect(() => onGpu.crossEntropy(logits, targets)).toThrow(
      "crossEntropy: the index at place 1 is outside 0 to 3.",
    );
    expect(() => onGpu.layerNorm(logits, { gain: up(hostRandom([3])) })).toThrow("the gain is [3]");
    expect(() => onGpu.softmax(logits, { dim: 2 })).toThrow("no dimension 2");
  });
});
