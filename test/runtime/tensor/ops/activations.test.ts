import { describe, expect, it } from "vitest";
import { fromValues, randn } from "../../../../src/runtime/tensor/create.ts";
import {
  gelu,
  geluBackward,
  relu,
  reluBackward,
  silu,
  siluBackward,
} from "../../../../src/runtime/tensor/ops/index.ts";

const all = [relu, gelu, silu];

describe("activations", () => {
  it("have their known values", () => {
    const x = fromValues([-1, 0, 1, 2], { dtype: "f64" });
    expect(relu(x).toArray()).toEqual([0, 0, 1, 2]);
    const known = (fn: typeof gelu, values: number[]): void => {
      for (const [i, value] of fn(x).toNumbers().entries()) {
        expect(value).toBeCloseTo(values[i] as number, 15);
      }
    };
    known(gelu, [-0.15865525393145705, 0, 0.841344746068543, 1.9544997361036416]);
    known(silu, [-0.2689414213699951, 0, 0.7310585786300049, 1.7615941559557646]);
  });

  it("keep digits far below zero, where a share is tiny", () => {
    const x = fromValues([-10], { dtype: "f64" });
    expect(gelu(x).item() / -7.619853024160526e-23).toBeCloseTo(1, 12);
    expect(silu(fromValues([-50], { dtype: "f64" })).item() / -9.643749239819589e-21).toBeCloseTo(
      1,
      12,
    );
  });

  it("go to x above and to 0 below, Inf included, and keep NaN", () => {
    for (const fn of all) {
      const [above, below, nan] = fn(fromValues([Infinity, -Infinity, NaN])).toNumbers();
      expect(above).toBe(Infinity);
      expect(Math.abs(below as number)).toBe(0);
      expect(nan).toBeNaN();
    }
  });

  it("have gradients of 1 above and 0 below, Inf included", () => {
    const x = fromValues([Infinity, -Infinity, 100, -1000]);
    const one = fromValues([1, 1, 1, 1]);
    for (const backward of [reluBackward, geluBackward, siluBackward]) {
      expect([...backward(one, x).toNumbers()].map(Math.abs)).toEqual([1, 0, 1, 0]);
      expect(backward(fromValues([1]), fromValues([NaN])).item()).toBeNaN();
    }
  });

  it("round once: f32 results are those of f64 rounded", () => {
    const x = randn([1000], { seed: 1 });
    for (const fn of all) expect(fn(x).digest()).toBe(fn(x.to("f64")).to("f32").digest());
  });

  it("are refused for integers", () => {
    for (const fn of all) {
      expect(() => fn(fromValues([1], { dtype: "i32" }))).toThrow(
        expect.objectContaining({ code: "E_DTYPE" }),
      );
    }
  });
});
