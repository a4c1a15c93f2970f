import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  breakDuring,
  distribute,
  Mesh,
  type Placement,
  partial,
  replicate,
  shard,
  shardSpec,
} from "../../../src/runtime/dist/index.ts";
import * as op from "../../../src/runtime/op/index.ts";
import { session } from "../../../src/runtime/profile/index.ts";
import { fromValues, rand, randn, Tensor } from "../../../src/runtime/tensor/index.ts";
import { thrownBy } from "../dist/mesh/thrown-by.ts";

const mesh = new Mesh({ axes: ["tp", "dp"], shape: [3, 2], devices: 6 });
const columns = shardSpec({ partition: ["col"], meshAxes: ["tp"] });
const rows = shardSpec({ partition: ["row"], meshAxes: ["tp"] });
const X = randn([5, 8], { seed: 1 });
const W = randn([8, 7], { seed: 2 });
const dense = op.matmul(X, W);

/** Whole numbers, whose products and sums are exact in any order. */
function numbers(shape: readonly number[], seed: number): Tensor {
  const size = shape.reduce((product, length) => product * length, 1);
  const values = rand([size], { seed }).toNumbers();
  return fromValues(
    values.map((value) => Math.floor(value * 17) - 8),
    { shape },
  );
}

describe("matmul on devices", () => {
  it("splits columns: the bits of the dense product, on the devices of its columns", () => {
    const y = op.matmul(distribute(X, { mesh }), distribute(W, { mesh, layout: columns }));
    expect(y.layout.describe()).toBe("tp: S(1), dp: R");
    expect(y.digest()).toBe(dense.digest());
  });

  it("splits rows of the first: the bits of the dense product too", () => {
    const y = op.matmul(distribute(X, { mesh, layout: rows }), distribute(W, { mesh }));
    expect(y.layout.describe()).toBe("tp: S(0), dp: R");
    expect(y.digest()).toBe(dense.digest());
  });

  it("splits what is summed over: partial sums, which add up", () => {
    const a = numbers([5, 8], 3);
    const b = numbers([8, 7], 4);
    const y = op.matmul(
      distribute(a, { mesh, layout: columns }),
      distribute(b, { mesh, layout: rows }),
    );
    expect(y.layout.describe()).toBe("tp: P(sum), dp: R");
    thrownBy("E_LAYOUT_PARTIAL", () => y.toArray());
    expect(op.reducePartial(y).digest()).toBe(op.matmul(a, b).digest());
  });

  it("takes a tensor of the host for a replicated one", () => {
    const y = op.matmul(X, distribute(W, { mesh, layout: columns }));
    expect(y.digest()).toBe(dense.digest());
  });

  it("equals the product of the host for every pair of layouts that it takes", () => {
    const placements = fc.constantFrom<Placement>(
      { kind: "replicate" },
      shard(0),
      shard(1),
      shard(2),
    );
    const layouts = fc.tuple(placements, placements);
    const a = numbers([4, 5, 6], 5);
    const b = numbers([4, 6, 3], 6);
    let taken = 0;
    fc.assert(
      fc.property(layouts, layouts, (one, other) => {
        const y = attempt(() =>
          op.matmul(distribute(a, { mesh, layout: one }), distribute(b, { mesh, layout: other })),
        );
        if (y === undefined) return;
        taken++;
        expect(op.reducePartial(y).digest()).toBe(op.matmul(a, b).digest());
        expect(op.reducePartial(y).shardingValid()).toBe(true);
      }),
      { numRuns: 80 },
    );
    expect(taken).toBeGreaterThan(10);
  });

  it("splits batches alike, or with the other factor shared by all of them", () => {
    const batch = randn([6, 5, 8], { seed: 7 });
    const layout = shardSpec({ partition: [0], meshAxes: ["dp"] });
    const y = op.matmul(
      distribute(batch, { mesh, layout }),
      distribute(W, { mesh, layout: columns }),
    );
    expect(y.layout.describe()).toBe("tp: S(2), dp: S(0)");
    expect(y.digest()).toBe(op.matmul(batch, W).digest());
  });

  it("refuses what would need communication, and says what goes together", () => {
    const a = distribute(X, { mesh, layout: rows });
    const b = distribute(W, { mesh, layout: columns });
    const error = thrownBy("E_LAYOUT_OP", () => op.matmul(a, b));
    expect(error.message).toContain("over tp the first factor is split along its rows");
    expect(error.hint).toContain("redistribute");
    const tpFirst = shardSpec({ partition: ["col"], meshAxes: [["tp", "dp"]] });
    const dpFirst = shardSpec({ partition: ["row"], meshAxes: [["dp", "tp"]] });
    const inner = (layout: typeof tpFirst) => distribute(W.transpose(), { mesh, layout });
    thrownBy("E_LAYOUT_OP", () =>
      op.matmul(inner(tpFirst), distribute(W, { mesh, layout: dpFirst })),
    );
    const k = distribute(X, { mesh, layout: columns });
    thrownBy("E_LAYOUT_OP", () => op.matmul(k, distribute(W, { mesh })));
    thrownBy("E_SHAPE", () => op.matmul(distribute(X, { mesh }), distribute(X, { mesh })));
    const other = new Mesh({ axes: ["tp"], devices: 3 });
    thrownBy("E_LAYOUT_OP", () =>
      op.matmul(distribute(X, { mesh }), distribute(W, { mesh: other })),
    );
  });

  it("multiplies partial sums by what is replicated, but not by each other", () => {
    const terms = distribute(X, { mesh, layout: partial("sum", "tp") });
    const y = op.matmul(terms, distribute(W, { mesh }));
    expect(y.layout.describe()).toBe("tp: P(sum), dp: R");
    thrownBy("E_LAYOUT_OP", () =>
      op.matmul(terms, distribute(W, { mesh, layout: partial("sum", "tp") })),
    );
    thrownBy("E_LAYOUT_OP", () =>
      op.matmul(distribute(X, { mesh, layout: partial("max", "tp") }), W),
    );
  });
});

describe("devices that compute", () => {
  const x = distribute(X, { mesh, layout: replicate() });
  const w = distribute(W, { mesh, layout: columns });

  it("compute once what several hold", () => {
    const y = op.matmul(x, w);
    expect(y.block(0)).toBe(y.block(1));
    expect(y.block(0)).not.toBe(y.block(2));
  });

  it("fail when one of them is dead, and not when another mesh's is", () => {
    const run = (device: number) => breakDuring({ kind: "dead", device }, () => op.matmul(x, w));
    const error = thrownBy("E_DEVICE_LOST", () => run(4));
    expect(error.details).toMatchObject({ op: "matmul", rank: 4, phase: "compute" });
    expect(run(6).digest()).toBe(dense.digest());
  });

  it("corrupt one element of their own result, in silence", () => {
    const wrong = { kind: "corrupt", device: 3, element: 2, bit: 30, when: "matmul" } as const;
    const y = breakDuring(wrong, () => op.matmul(x, w));
    const sound = op.matmul(x, w);
    expect(y.local(2).digest()).toBe(sound.local(2).digest());
    expect(y.local(3).digest()).not.toBe(sound.local(3).digest());
    expect(y.shardingReport().errors.map(({ rank }) => rank)).toEqual([3]);
    expect(breakDuring(wrong, () => op.relu(x)).digest()).toBe(op.relu(x).digest());
  });

  it("refuse parts that are not what the layout says", () => {
    const broken = w.withLocal(5, randn([8, 9], { seed: 1 }));
    expect(thrownBy("E_DESYNC", () => op.matmul(x, broken)).details["ranks"]).toEqual([5]);
  });
});

describe("the profile", () => {
  const recordOf = (run: () => unknown) => {
    using open = session();
    run();
    return open.records().at(-1);
  };

  it("gets a modelled time for devices, from the roofline of one GPU", () => {
    const big = new Mesh({ axes: ["tp"], devices: 2, topology: "hgx-h100" });
    const a = distribute(X, { mesh: big });
    const record = recordOf(() => op.matmul(a, W));
    expect(record).toMatchObject({
      op: "matmul",
      kind: "compute",
      source: "modelled",
      devices: 2,
      flops: 2 * 2 * 5 * 8 * 7,
      bytes: 2 * 4 * (5 * 8 + 8 * 7 + 5 * 7),
      topology: "hgx-h100",
    });
    expect(record?.timeUs).toBeGreaterThan(0);
    expect(record?.peakGflops).toBeGreaterThan(0);
    expect(record?.notes?.join()).toContain("MODELLED");
  });

  it("gets a measured time for tensors of this host", () => {
    const record = recordOf(() => op.matmul(X, W));
    expect(record).toMatchObject({ op: "matmul", source: "measured", devices: 1, flops: 560 });
  });
});

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    expect(error).toMatchObject({ code: "E_LAYOUT_OP" });
    return undefined;
  }
}
