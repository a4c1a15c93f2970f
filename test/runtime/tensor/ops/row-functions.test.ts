import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromValues, randn } from "../../../../src/runtime/tensor/create.ts";
import {
  crossEntropy,
  crossEntropyBackward,
  layerNorm,
  layerNormBackward,
  logSoftmax,
  rmsNorm,
  rmsNormBackward,
  softmax,
  sum,
  totalLoss,
} from "../../../../src/runtime/tensor/ops/index.ts";
import type { Tensor } from "../../../../src/runtime/tensor/tensor.ts";
import { distance } from "./differences.ts";

const gain = randn([9], { seed: 11 });
const bias = randn([9], { seed: 12 });
const gradient = randn([6, 9], { seed: 13 });
const targets = fromValues([0, 8, 3, 4, 4, 1], { dtype: "i32" });

/** The same rows of a tensor; all of it without a range. */
type Rows = { readonly start: number; readonly stop: number };

describe("a row's result does not depend on its batch in", () => {
  it.each<[string, (x: Tensor, rows: Rows) => Tensor]>([
    ["softmax", (x) => softmax(x)],
    ["logSoftmax", (x) => logSoftmax(x)],
    ["layerNorm", (x) => layerNorm(x, { gain, bias })],
    ["rmsNorm", (x) => rmsNorm(x, { gain })],
    [
      "layerNormBackward",
      (x, rows) => layerNormBackward(gradient.slice([rows]), x, { gain }).input,
    ],
    [
      "rmsNormBackward",
      (x, rows) => rmsNormBackward(gradient.slice([rows]), x, { gain }).gainTerms,
    ],
    ["crossEntropy", (x, rows) => crossEntropy(x, targets.slice([rows])).rowLosses],
    [
      "crossEntropyBackward",
      (x, rows) => crossEntropyBackward(x, targets.slice([rows]), { normalizer: 6 }),
    ],
  ])("%s", (_, fn) => {
    const x = randn([6, 9], { seed: 1 });
    const all = fn(x, { start: 0, stop: 6 });
    fc.assert(
      fc.property(fc.nat(5), fc.integer({ min: 1, max: 6 }), (start, count) => {
        const rows = { start, stop: Math.min(start + count, 6) };
        expect(fn(x.slice([rows]), rows).digest()).toBe(all.slice([rows]).digest());
      }),
      { numRuns: 12 },
    );
  });
});

describe("softmax", () => {
  it("sums to one, and its logarithm is logSoftmax", () => {
    const x = randn([4, 7], { seed: 2, dtype: "f64" });
    const shares = softmax(x);
    expect(distance(sum(shares, { dims: 1 }).toNumbers(), [1, 1, 1, 1])).toBeLessThan(1e-15);
    const logs = logSoftmax(x).toNumbers();
    expect(distance(shares.toNumbers().map(Math.log), logs)).toBeLessThan(1e-14);
  });

  it("does not overflow, and gives what is far below exactly 0", () => {
    expect(softmax(fromValues([1000, 1000])).toArray()).toEqual([0.5, 0.5]);
    expect(softmax(fromValues([0, -Infinity, -1000])).toArray()).toEqual([1, 0, 0]);
    expect(logSoftmax(fromValues([3e38, -3e38])).toArray()).toEqual([0, -Infinity]);
  });

  it.each([[[0, NaN]], [[Infinity, 0]], [[-Infinity, -Infinity]]])("of %j is NaN", (row) => {
    expect(softmax(fromValues(row)).toArray()).toEqual([NaN, NaN]);
    expect(logSoftmax(fromValues(row)).toArray()).toEqual([NaN, NaN]);
  });

  it("goes along any dimension", () => {
    const x = randn([3, 4, 5], { seed: 3 });
    const moved = softmax(x.transpose(0, 2)).transpose(0, 2);
    expect(softmax(x, { dim: 0 }).digest()).toBe(moved.digest());
  });

  it("is refused for integers, for no elements and along dimensions that are not there", () => {
    const shape = expect.objectContaining({ code: "E_SHAPE" });
    expect(() => softmax(fromValues([1], { dtype: "i32" }))).toThrow(
      expect.objectContaining({ code: "E_DTYPE" }),
    );
    expect(() => softmax(randn([2, 0]))).toThrow(shape);
    expect(() => softmax(randn([2]), { dim: 1 })).toThrow(shape);
  });
});

describe("norms", () => {
  const ones = fromValues([1, 1, 1, 1], { dtype: "f64" });

  it("give mean 0 and variance 1, or mean square 1", () => {
    const x = randn([3, 4], { seed: 4, dtype: "f64" });
    for (const row of [0, 1, 2]) {
      const layer = layerNorm(x, { gain: ones, epsilon: 0 }).slice([row]).toNumbers();
      const rms = rmsNorm(x, { gain: ones, epsilon: 0 }).slice([row]).toNumbers();
      const meanOf = (values: Float64Array): number => values.reduce((a, b) => a + b) / 4;
      expect(Math.abs(meanOf(layer))).toBeLessThan(1e-15);
      expect(Math.abs(meanOf(layer.map((value) => value * value)) - 1)).toBeLessThan(1e-15);
      expect(Math.abs(meanOf(rms.map((value) => value * value)) - 1)).toBeLessThan(1e-15);
    }
  });

  it("of a constant row are the bias, thanks to epsilon", () => {
    const x = fromValues([3, 3, 3, 3], { dtype: "f64" });
    const bias = fromValues([1, 2, 3, 4], { dtype: "f64" });
    expect(layerNorm(x, { gain: ones, bias }).toArray()).toEqual([1, 2, 3, 4]);
    expect(layerNorm(x, { gain: ones, epsilon: 0 }).toArray()).toEqual([NaN, NaN, NaN, NaN]);
  });

  it("of a row with Inf or NaN are NaN throughout where they need its mean", () => {
    for (const bad of [NaN, Infinity]) {
      const x = fromValues([1, bad, 2, 3], { dtype: "f64" });
      expect(layerNorm(x, { gain: ones }).toArray()).toEqual([NaN, NaN, NaN, NaN]);
    }
  });

  it("are refused without elements and for parameters of another length or dtype", () => {
    const shape = expect.objectContaining({ code: "E_SHAPE" });
    expect(() => layerNorm(randn([2, 3]), { gain: randn([2]) })).toThrow(shape);
    expect(() => rmsNorm(randn([2, 0]), { gain: randn([0]) })).toThrow(shape);
    expect(() => rmsNorm(randn([2, 3]), { gain: randn([3], { dtype: "bf16" }) })).toThrow(
      expect.objectContaining({ code: "E_DTYPE" }),
    );
  });
});

describe("the cross-entropy", () => {
  it("is the mean of -log of the target's share", () => {
    const logits = randn([6, 9], { seed: 5, dtype: "f64" });
    const shares = logSoftmax(logits);
    const expected = targets.toNumbers().map((target, row) => -shares.at(row, target));
    const { loss, rowLosses } = crossEntropy(logits, targets);
    expect(distance(rowLosses.toNumbers(), expected)).toBeLessThan(1e-15);
    expect(loss).toBeCloseTo(expected.reduce((a, b) => a + b) / 6, 14);
  });

  it("of a batch has the same bits from its parts, in any order", () => {
    const logits = randn([6, 9], { seed: 6 });
    const { loss } = crossEntropy(logits, targets);
    const parts = [
      [4, 6],
      [0, 1],
      [1, 4],
    ].map(([start, stop]) => {
      const rows = { start: start as number, stop: stop as number };
      return crossEntropy(logits.slice([rows]), targets.slice([rows])).rowLosses;
    });
    expect(totalLoss(parts)).toBe(loss);
    expect(totalLoss([])).toBe(0);
  });

  it("of impossible rows is Inf and NaN", () => {
    const logits = fromValues([
      [0, -Infinity],
      [0, NaN],
    ]);
    const rows = crossEntropy(logits, fromValues([1, 0], { dtype: "i32" })).rowLosses;
    expect(rows.toArray()).toEqual([Infinity, NaN]);
  });

  it("is refused for a target that is no class, and for targets that fit no row", () => {
    const shape = expect.objectContaining({ code: "E_SHAPE" });
    const logits = randn([2, 3]);
    for (const wrong of [[0, 3], [-1, 0], [0]]) {
      expect(() => crossEntropy(logits, fromValues(wrong, { dtype: "i32" }))).toThrow(shape);
    }
    expect(() => crossEntropy(logits, fromValues([0, 1]))).toThrow(
      expect.objectContaining({ code: "E_DTYPE" }),
    );
  });
});
