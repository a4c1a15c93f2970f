import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  distribute,
  Mesh,
  type Placement,
  partial,
  shard,
  shardSpec,
} from "../../../src/runtime/dist/index.ts";
import * as op from "../../../src/runtime/op/index.ts";
import { fromValues, rand, randn } from "../../../src/runtime/tensor/index.ts";
import { thrownBy } from "../dist/mesh/thrown-by.ts";

const mesh = new Mesh({ axes: ["tp", "dp"], shape: [3, 2], devices: 6 });
const grid = shardSpec({ partition: ["row", "col"], meshAxes: ["tp", "dp"] });
const rows = shardSpec({ partition: ["row"], meshAxes: ["tp"] });
const X = randn([7, 5], { seed: 1 });
const Y = rand([7, 5], { seed: 2 });
const x = distribute(X, { mesh, layout: grid });
const terms = distribute(X, { mesh, layout: partial("sum") });

describe("one tensor", () => {
  it.each([
    ["relu", op.relu],
    ["gelu", op.gelu],
    ["silu", op.silu],
    ["neg", op.neg],
  ] as const)("%s has the bits of the host", (_, operation) => {
    const y = operation(x);
    expect(y.layout.equals(x.layout)).toBe(true);
    expect(y.digest()).toBe(operation(X).digest());
  });

  it("scales and negates terms of a sum, but does not bend them", () => {
    const halved = op.scale(terms, 0.5);
    expect(halved.layout.equals(terms.layout)).toBe(true);
    expect(halved.local(0).digest()).toBe(op.scale(X, 0.5).digest());
    const error = thrownBy("E_LAYOUT_OP", () => op.relu(terms));
    expect(error.hint).toContain("reducePartial");
    thrownBy("E_LAYOUT_OP", () => op.neg(distribute(X, { mesh, layout: partial("max") })));
  });
});

describe("two tensors", () => {
  it.each([
    ["add", op.add],
    ["sub", op.sub],
    ["mul", op.mul],
    ["div", op.div],
  ] as const)("%s has the bits of the host", (_, operation) => {
    const y = operation(x, distribute(Y, { mesh, layout: grid }));
    expect(y.digest()).toBe(operation(X, Y).digest());
    expect(y.layout.equals(x.layout)).toBe(true);
  });

  it("cuts what is replicated where the other one is split, and repeats short dimensions", () => {
    expect(op.add(x, Y).digest()).toBe(op.add(X, Y).digest());
    expect(op.add(Y, x).layout.equals(x.layout)).toBe(true);
    const bias = randn([5], { seed: 3 });
    expect(op.add(x, bias).digest()).toBe(op.add(X, bias).digest());
    const column = randn([7, 1], { seed: 4 });
    expect(op.mul(x, column).digest()).toBe(op.mul(X, column).digest());
    const split = distribute(bias, {
      mesh,
      layout: shardSpec({ partition: [0], meshAxes: ["dp"] }),
    });
    expect(op.add(x, split).digest()).toBe(op.add(X, bias).digest());
  });

  it("has the bits of the host for every pair of layouts that it takes", () => {
    const placements = fc.constantFrom<Placement>(
      { kind: "replicate" },
      shard(0),
      shard(1),
      shard(0, { split: "cyclic" }),
    );
    const layouts = fc.tuple(placements, placements);
    const sum = op.add(X, Y).digest();
    let taken = 0;
    fc.assert(
      fc.property(layouts, layouts, (one, other) => {
        try {
          const a = distribute(X, { mesh, layout: one });
          const y = op.add(a, distribute(Y, { mesh, layout: other }));
          expect(y.digest()).toBe(sum);
          taken++;
        } catch (error) {
          expect(error).toMatchObject({ code: "E_LAYOUT_OP" });
        }
      }),
      { numRuns: 80 },
    );
    expect(taken).toBeGreaterThan(20);
  });

  it("adds terms of sums, and multiplies them by what is replicated", () => {
    const other = distribute(Y, { mesh, layout: partial("sum") });
    expect(op.add(terms, other).layout.describe()).toBe("tp: P(sum), dp: P(sum)");
    expect(op.mul(terms, Y).local(3).digest()).toBe(op.mul(X, Y).digest());
    expect(op.div(terms, Y).layout.describe()).toBe("tp: P(sum), dp: P(sum)");
    thrownBy("E_LAYOUT_OP", () => op.add(terms, Y));
    thrownBy("E_LAYOUT_OP", () => op.mul(terms, other));
    thrownBy("E_LAYOUT_OP", () => op.div(Y, terms));
  });

  it("refuses splits that do not match, with a remedy", () => {
    const y = distribute(Y, { mesh, layout: shardSpec({ partition: ["col"], meshAxes: ["tp"] }) });
    const error = thrownBy("E_LAYOUT_OP", () => op.add(distribute(X, { mesh, layout: rows }), y));
    expect(error.hint).toContain("redistribute");
    thrownBy("E_SHAPE", () => op.add(x, randn([3, 3], { seed: 1 })));
  });

  it("passes gradients back through activations", () => {
    const gradient = distribute(Y, { mesh, layout: grid });
    for (const backward of [op.reluBackward, op.geluBackward, op.siluBackward]) {
      expect(backward(gradient, x).digest()).toBe(backward(Y, X).digest());
    }
    thrownBy("E_LAYOUT_OP", () => op.reluBackward(terms, X));
  });
});

describe("along dimensions", () => {
  const r = distribute(X, { mesh, layout: rows });

  it("softmax and norms need whole rows", () => {
    const gain = rand([5], { seed: 5 });
    expect(op.softmax(r).digest()).toBe(op.softmax(X).digest());
    expect(op.logSoftmax(r).digest()).toBe(op.logSoftmax(X).digest());
    expect(op.layerNorm(r, { gain, bias: gain }).digest()).toBe(
      op.layerNorm(X, { gain, bias: gain }).digest(),
    );
    expect(op.rmsNorm(r, { gain, epsilon: 1e-3 }).digest()).toBe(
      op.rmsNorm(X, { gain, epsilon: 1e-3 }).digest(),
    );
    const error = thrownBy("E_LAYOUT_OP", () => op.softmax(r, { dim: 0 }));
    expect(error.hint).toContain("allGather");
    thrownBy("E_LAYOUT_OP", () => op.rmsNorm(x, { gain }));
    const split = distribute(gain, {
      mesh,
      layout: shardSpec({ partition: [0], meshAxes: ["dp"] }),
    });
    thrownBy("E_LAYOUT_OP", () => op.layerNorm(r, { gain: split }));
  });

  it("sums of split dimensions are partial, the others lie as the tensor does", () => {
    const whole = fromValues([
      [1, 2],
      [3, 4],
      [5, 6],
      [7, 8],
    ]);
    const y = distribute(whole, { mesh, layout: rows });
    const down = op.sum(y, { dims: 0 });
    expect(down.layout.describe()).toBe("tp: P(sum), dp: R");
    expect(op.reducePartial(down).toArray()).toEqual([16, 20]);
    const across = op.sum(y, { dims: 1 });
    expect(across.layout.describe()).toBe("tp: S(0), dp: R");
    expect(across.toArray()).toEqual([3, 7, 11, 15]);
    const kept = op.sum(y, { dims: 1, keepDims: true });
    expect(kept.shape).toEqual([4, 1]);
    expect(op.mean(y, { dims: 1 }).toArray()).toEqual([1.5, 3.5, 5.5, 7.5]);
    expect(op.max(y, { dims: 1 }).toArray()).toEqual([2, 4, 6, 8]);
    thrownBy("E_LAYOUT_OP", () => op.mean(y, { dims: 0 }));
  });

  it("max and min of split dimensions are partial by max and min", () => {
    const lowest = op.min(r, { dims: 0 });
    expect(lowest.layout.describe()).toBe("tp: P(min), dp: R");
    expect(op.reducePartial(lowest).digest()).toBe(op.min(X, { dims: 0 }).digest());
    expect(op.reducePartial(op.max(r)).digest()).toBe(op.max(X).digest());
  });

  it("transposes each part where it is", () => {
    const y = op.transpose(x);
    expect(y.layout.describe()).toBe("tp: S(1), dp: S(0)");
    expect(y.digest()).toBe(op.transpose(X).digest());
  });
});

describe("lookups", () => {
  const table = randn([10, 6], { seed: 6 });
  const indices = fromValues([3, 9, 0, 3, 7], { dtype: "i32" });

  it("takes rows of a table whose columns are split, or at indices that are", () => {
    const want = op.embedding(table, indices).digest();
    const columns = shardSpec({ partition: ["col"], meshAxes: ["tp"] });
    const some = shardSpec({ partition: [0], meshAxes: ["dp"] });
    const y = op.embedding(
      distribute(table, { mesh, layout: columns }),
      distribute(indices, { mesh, layout: some }),
    );
    expect(y.layout.describe()).toBe("tp: S(1), dp: S(0)");
    expect(y.digest()).toBe(want);
    thrownBy("E_LAYOUT_OP", () => op.embedding(distribute(table, { mesh, layout: rows }), indices));
  });

  it("has the same loss however the batch is split", () => {
    const targets = fromValues([1, 0, 4, 2, 2, 3, 1], { dtype: "i32" });
    const host = op.crossEntropy(X, targets);
    const y = op.crossEntropy(distribute(X, { mesh, layout: rows }), targets);
    expect(y.loss).toBe(host.loss);
    expect(y.rowLosses.digest()).toBe(host.rowLosses.digest());
    thrownBy("E_LAYOUT_OP", () => op.crossEntropy(x, targets));
  });
});
