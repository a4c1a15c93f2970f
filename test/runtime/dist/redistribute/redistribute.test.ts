import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DistTensor, distribute, tensor } from "../../../../src/runtime/dist/array/index.ts";
import {
  type Layout,
  partial,
  replicate,
  shard,
} from "../../../../src/runtime/dist/layout/index.ts";
import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";
import { planRedistribute, redistribute } from "../../../../src/runtime/dist/redistribute/index.ts";
import {
  type DType,
  dtypes,
  fromValues,
  type Tensor,
} from "../../../../src/runtime/tensor/index.ts";
import { layouts, meshes, shapes } from "../layout/arbitrary-layouts.ts";
import { thrownBy } from "../mesh/thrown-by.ts";
import { digests, values } from "./sample.ts";

const dtype = fc.constantFrom<DType>(...dtypes);

const one = fc.tuple(meshes, shapes, dtype).chain(([mesh, shape, of]) =>
  fc.record({
    mesh: fc.constant(mesh),
    x: fc.constant(values(shape, of)),
    from: layouts(mesh, shape),
    to: layouts(mesh, shape),
  }),
);

describe("gather(shard(x))", () => {
  it("is x bit for bit, for any shape, layout, mesh and dtype", () => {
    fc.assert(
      fc.property(one, ({ mesh, x, from }) => {
        const gathered = redistribute(distribute(x, { mesh, layout: from }), {
          layout: replicate(),
        });
        for (const digest of digests(gathered)) expect(digest).toBe(x.digest());
      }),
      { numRuns: 100 },
    );
  });
});

describe("redistribute", () => {
  it("gives what sharding the whole in the other layout gives, and leads back again", () => {
    fc.assert(
      fc.property(one, ({ mesh, x, from, to }) => {
        const sharded = distribute(x, { mesh, layout: from });
        const moved = redistribute(sharded, { layout: to });
        expect(moved.layout.equals(to)).toBe(true);
        expect(digests(moved)).toEqual(digests(distribute(x, { mesh, layout: to })));
        expect(digests(redistribute(moved, { layout: from }))).toEqual(digests(sharded));
      }),
      { numRuns: 150 },
    );
  });

  it("does so between meshes of other sizes, with some of the same devices", () => {
    const other = meshes.chain((mesh) =>
      fc.nat({ max: 5 }).map((shift) => {
        const devices = mesh.devices.map((_, rank) => rank + shift);
        return new Mesh({ axes: mesh.axes.map((axis) => `${axis}'`), shape: mesh.shape, devices });
      }),
    );
    const across = fc.tuple(meshes, other, shapes).chain(([mesh, goal, shape]) =>
      fc.record({
        mesh: fc.constant(mesh),
        goal: fc.constant(goal),
        x: fc.constant(values(shape, "bf16")),
        from: layouts(mesh, shape),
        to: layouts(goal, shape),
      }),
    );
    fc.assert(
      fc.property(across, ({ mesh, goal, x, from, to }) => {
        const moved = redistribute(distribute(x, { mesh, layout: from }), {
          mesh: goal,
          layout: to,
        });
        expect(moved.mesh.equals(goal)).toBe(true);
        expect(digests(moved)).toEqual(digests(distribute(x, { mesh: goal, layout: to })));
      }),
      { numRuns: 150 },
    );
  });

  it("to the layout it has returns the tensor itself", () => {
    const mesh = new Mesh({ devices: 4 });
    const x = tensor([8], { mesh, layout: [shard(0)] });
    expect(redistribute(x, {})).toBe(x);
    expect(x.redistribute({ layout: [shard(0)] })).toBe(x);
  });

  it("leaves replicas sharing one storage", () => {
    const mesh = new Mesh({ axes: ["a", "b"], devices: 8 });
    const x = distribute(values([16, 4], "f32"), { mesh, layout: [shard(0), replicate()] });
    const whole = redistribute(x, { layout: replicate() });
    expect(new Set(mesh.devices.map((_, rank) => whole.local(rank).raw)).size).toBe(1);
  });

  it("refuses ranks that do not hold what the layout says", () => {
    const mesh = new Mesh({ devices: 2 });
    const x = tensor([8], { mesh, layout: [shard(0)] }).withLocal(1, values([3], "f32"));
    thrownBy("E_DESYNC", () => redistribute(x, { layout: replicate() }));
  });
});

describe("partial values", () => {
  const mesh = new Mesh({ axes: ["a", "b"], devices: 6 });
  const terms = mesh.devices.map((_, rank) => fromValues(Float32Array.of(2 ** (rank * 8), 1, -0)));
  // The terms below 2^17, the last place of the sum, are a little more than half of it together.
  const sums = fromValues(Float32Array.of(2 ** 40 + 2 ** 32 + 2 ** 24 + 2 ** 17, 6, -0));
  const x = DistTensor.fromLocals({ mesh, layout: partial("sum"), locals: terms });

  it("become their exact sum, rounded once, over any number of axes", () => {
    const reduced = redistribute(x, { layout: replicate() });
    for (const digest of digests(reduced)) expect(digest).toBe(sums.digest());
    const scattered = redistribute(x, { layout: [shard(0), replicate()] });
    expect(scattered.digest()).toBe(sums.digest());
  });

  it("over one axis are reduced and scattered", () => {
    const rows = new Mesh({ devices: 3 });
    const locals = [1, 2, 3].map((value) =>
      fromValues(Float32Array.of(value, 10 * value, 100 * value, 0)),
    );
    const y = DistTensor.fromLocals({ mesh: rows, layout: partial("max"), locals });
    const scattered = redistribute(y, { layout: [shard(0)] });
    expect(rows.devices.map((_, rank) => scattered.local(rank).toArray())).toEqual([
      [3, 30],
      [300, 0],
      [],
    ]);
  });

  it.each(["sum", "avg", "prod", "min", "max", "bxor", "band", "bor"] as const)(
    "by %s come back unchanged, signed zeros and subnormals too",
    (op) => {
      const given = fromValues(Float32Array.of(-0, 0, 1e-45, -3.5, 1e38, 0.1));
      const whole = distribute(given, { mesh, layout: replicate() });
      const there = redistribute(whole, { layout: partial(op) });
      expect(there.layout.describe()).toBe(`a: P(${op}), b: P(${op})`);
      const back = redistribute(there, { layout: replicate() });
      for (const digest of digests(back)) expect(digest).toBe(given.digest());
    },
  );

  it("come back unchanged in every dtype when they are summed", () => {
    for (const of of dtypes) {
      const given = values([5, 3], of);
      const there = redistribute(distribute(given, { mesh, layout: [shard(0), replicate()] }), {
        layout: [shard(0), { kind: "partial", op: "sum" }],
      });
      expect(redistribute(there, { layout: replicate() }).digest()).toBe(given.digest());
    }
  });
});

describe("bytes", () => {
  it("of every plan are the bytes that its steps really move", () => {
    // The executor counts what each rank receives and asserts that it is what the plan says; here
    // both are compared with what moving element by element must cost at least.
    fc.assert(
      fc.property(one, ({ mesh, x, from, to }) => {
        const sharded = distribute(x, { mesh, layout: from });
        const plan = planRedistribute(sharded, { layout: to });
        redistribute(sharded, { layout: to });
        expect(plan.totalBytes).toBeGreaterThanOrEqual(missingBytes(x, { mesh, from, to }));
      }),
      { numRuns: 60 },
    );
  });
});

/** Bytes of the elements that ranks need in one layout and do not hold in another. */
function missingBytes(
  x: Tensor,
  { mesh, from, to }: { readonly mesh: Mesh; readonly from: Layout; readonly to: Layout },
): number {
  const numbered = fromValues(
    Int32Array.from({ length: x.size }, (_, index) => index),
    {
      shape: x.shape,
      dtype: "i32",
    },
  );
  const before = distribute(numbered, { mesh, layout: from });
  const after = distribute(numbered, { mesh, layout: to });
  let missing = 0;
  for (let rank = 0; rank < mesh.size; rank++) {
    const held = new Set(before.local(rank).toNumbers());
    for (const element of after.local(rank).toNumbers()) if (!held.has(element)) missing += 1;
  }
  return missing * x.toRaw().BYTES_PER_ELEMENT;
}
