import { describe, expect, it } from "vitest";
import { fromValues, randn } from "../../../../src/runtime/tensor/create.ts";
import {
  causalAttention,
  embedding,
  embeddingBackward,
  embeddingBackwardExact,
  softmax,
} from "../../../../src/runtime/tensor/ops/index.ts";
import type { Tensor } from "../../../../src/runtime/tensor/tensor.ts";
import { distance } from "./differences.ts";

describe("a lookup", () => {
  const table = randn([4, 3], { seed: 1, dtype: "bf16" });

  it("copies rows bit for bit", () => {
    const rows = embedding(
      table,
      fromValues(
        [
          [3, 0],
          [3, 1],
        ],
        { dtype: "i32" },
      ),
    );
    expect(rows.shape).toEqual([2, 2, 3]);
    expect(rows.slice([1, 0]).digest()).toBe(table.slice([3]).digest());
    expect(
      embedding(table, fromValues([2], { dtype: "u8" }))
        .slice([0])
        .digest(),
    ).toBe(table.slice([2]).digest());
  });

  it("is refused outside the table, for fractions and for tables that are none", () => {
    const shape = expect.objectContaining({ code: "E_SHAPE" });
    expect(() => embedding(table, fromValues([0, 4], { dtype: "i32" }))).toThrow(
      expect.objectContaining({ code: "E_SHAPE", message: expect.stringContaining("index 4") }),
    );
    expect(() => embedding(table, fromValues([-1], { dtype: "i32" }))).toThrow(shape);
    expect(() => embedding(randn([2]), fromValues([0], { dtype: "i32" }))).toThrow(shape);
    expect(() => embedding(table, fromValues([0]))).toThrow(
      expect.objectContaining({ code: "E_DTYPE" }),
    );
  });

  it("has exact gradients that add up from parts to the same limbs", () => {
    const indices = fromValues([1, 2, 1, 1, 0, 2], { dtype: "i32" });
    const gradient = randn([6, 3], { seed: 2 });
    const whole = embeddingBackwardExact(gradient, { indices, rows: 4 });
    const part = (start: number, stop: number) =>
      embeddingBackwardExact(gradient.slice([{ start, stop }]), {
        indices: indices.slice([{ start, stop }]),
        rows: 4,
      });
    expect(part(4, 6).plus(part(0, 4)).limbs.digest()).toBe(whole.limbs.digest());
    const chain = embeddingBackward(gradient, { indices, rows: 4 });
    expect(distance(chain.toNumbers(), whole.round("f32").toNumbers())).toBeLessThan(1e-7);
  });
});

describe("causal attention", () => {
  const shape = [2, 3, 5, 4];
  const inputs = {
    q: randn(shape, { seed: 1 }),
    k: randn(shape, { seed: 2 }),
    v: randn(shape, { seed: 3 }),
  };
  const whole = causalAttention(inputs);

  function sliced(ranges: Parameters<Tensor["slice"]>[0]): typeof inputs {
    return { q: inputs.q.slice(ranges), k: inputs.k.slice(ranges), v: inputs.v.slice(ranges) };
  }

  it("is the weighted mean of the values so far", () => {
    const { output, weights } = whole;
    const first = inputs.v.slice([null, null, 0]);
    expect(output.slice([null, null, 0]).digest()).toBe(first.digest());
    const scores = [0, 1].map((j) => {
      const q = inputs.q.slice([1, 2, 1]).toNumbers();
      const k = inputs.k.slice([1, 2, j]).toNumbers();
      return q.reduce((sum, value, i) => sum + value * (k[i] as number), 0) / 2;
    });
    const expected = softmax(fromValues(scores, { dtype: "f64" })).toNumbers();
    expect(distance([...expected, 0, 0, 0], weights.slice([1, 2, 1]).toNumbers())).toBeLessThan(
      1e-6,
    );
  });

  it("has the same bits for a sequence alone, and for one that is cut off later", () => {
    const alone = causalAttention(sliced([1, 2]));
    expect(alone.output.digest()).toBe(whole.output.slice([1, 2]).digest());
    const short = causalAttention(sliced([null, null, { stop: 3 }]));
    expect(short.output.digest()).toBe(whole.output.slice([null, null, { stop: 3 }]).digest());
  });

  it("is refused where shapes differ or there is no width", () => {
    const error = expect.objectContaining({ code: "E_SHAPE" });
    expect(() => causalAttention({ ...inputs, k: randn([2, 3, 4, 4]) })).toThrow(error);
    const flat = randn([2, 3, 0]);
    expect(() => causalAttention({ q: flat, k: flat, v: flat })).toThrow(error);
  });
});
