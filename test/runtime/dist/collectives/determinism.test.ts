import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  allGather,
  allReduce,
  hierarchicalAllReduce,
  reduce,
  reduceScatter,
} from "../../../../src/runtime/dist/collectives/index.ts";
import { DistTensor, Mesh, tensor } from "../../../../src/runtime/dist/index.ts";
import { allocateRaw, encodeInto } from "../../../../src/runtime/tensor/dtype/index.ts";
import { type DType, Tensor } from "../../../../src/runtime/tensor/index.ts";

const devices = 24;
const count = 13;
const ids = Array.from({ length: devices }, (_, id) => id);

/** Cancellation, mixed magnitudes, subnormal numbers, both zeros; now and then Inf and NaN. */
const nasty = fc.oneof(
  { weight: 600, arbitrary: fc.constantFrom(1e8, -1e8, 1, -1, 3e-5, 2 ** 24, -(2 ** -24)) },
  { weight: 400, arbitrary: fc.float({ noNaN: true, noDefaultInfinity: true }) },
  { weight: 200, arbitrary: fc.constantFrom(0, -0, 2 ** -149, -(2 ** -140)) },
  { weight: 2, arbitrary: fc.constantFrom(Number.POSITIVE_INFINITY, Number.NaN) },
);
const data = fc.array(fc.array(nasty, { minLength: count, maxLength: count }), {
  minLength: devices,
  maxLength: devices,
});
const orders = fc.shuffledSubarray(ids, { minLength: devices, maxLength: devices });
const shapes = fc.constantFrom([24], [12, 2], [4, 6], [3, 8], [2, 3, 4], [6, 2, 2], [1, 24]);

/** The device with number d holds the d-th list, wherever it sits in the mesh. */
function onMesh(mesh: Mesh, values: readonly (readonly number[])[], dtype: DType): DistTensor {
  return DistTensor.fromLocals({
    mesh,
    layout: { kind: "partial", op: "sum" },
    locals: (rank) => {
      const raw = allocateRaw(dtype, count);
      encodeInto(
        dtype,
        Float64Array.from(values[Number(mesh.deviceOf(rank))] ?? []),
        0,
        count,
        raw,
      );
      return Tensor.over(raw, { dtype, shape: [count] });
    },
  });
}

function meshOf(shape: readonly number[], order: readonly number[]): Mesh {
  return new Mesh({ axes: shape.map((_, axis) => `a${axis}`), shape, devices: order });
}

/** The exact sum of f32 values, rounded once, with whole numbers only. */
function exactSum(values: readonly number[]): number {
  if (values.some((value) => !Number.isFinite(value))) {
    return values.reduce((sum, value) => sum + value, 0);
  }
  const unit = 2n ** 149n;
  const total = values.reduce((sum, value) => sum + toUnits(value), 0n);
  if (total === 0n) return values.every((value) => Object.is(value, -0)) ? -0 : 0;
  return Math.fround(rounded(total, unit));
}

/** A f32 value as a multiple of 2^-149. */
function toUnits(value: number): bigint {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  const bits = view.getUint32(0);
  const exponent = (bits >>> 23) & 0xff;
  const fraction = BigInt(bits & 0x7fffff) | (exponent === 0 ? 0n : 1n << 23n);
  const units = fraction << BigInt(Math.max(0, exponent - 1));
  return bits >>> 31 === 1 ? -units : units;
}

/** n / unit to 24 bits, ties to even; exact as a double. */
function rounded(n: bigint, unit: bigint): number {
  const magnitude = n < 0n ? -n : n;
  const drop = BigInt(Math.max(0, magnitude.toString(2).length - 24));
  const half = drop === 0n ? 0n : 1n << (drop - 1n);
  let kept = magnitude >> drop;
  const rest = magnitude - (kept << drop);
  if (drop > 0n && (rest > half || (rest === half && (kept & 1n) === 1n))) kept++;
  const value = Number(kept) * 2 ** (Number(drop) - (unit.toString(2).length - 1));
  return n < 0n ? -value : value;
}

describe("deterministic by default", () => {
  it("gives the same bits flat, hierarchical, in any order of devices and any mesh", () => {
    fc.assert(
      fc.property(data, orders, shapes, (values, order, shape) => {
        const flat = allReduce(onMesh(meshOf([devices], ids), values, "f32"));
        const mesh = meshOf(shape, order);
        const x = onMesh(mesh, values, "f32");
        const digest = flat.digest();
        expect(allReduce(x).digest()).toBe(digest);
        expect(hierarchicalAllReduce(x).digest()).toBe(digest);
        expect(allGather(reduceScatter(x)).digest()).toBe(digest);
        expect(reduce(x).digest()).toBe(digest);
        for (const [at, value] of flat.toTensor().toNumbers().entries()) {
          expect(value).toBe(exactSum(values.map((own) => Math.fround(own[at] ?? 0))));
        }
      }),
      { numRuns: 40 },
    );
  });

  it.each(["f64", "f16", "bf16", "e4m3", "e5m2"] as const)("also for %s", (dtype) => {
    fc.assert(
      fc.property(data, orders, shapes, (values, order, shape) => {
        const flat = allReduce(onMesh(meshOf([devices], ids), values, dtype));
        const x = onMesh(meshOf(shape, order), values, dtype);
        expect(hierarchicalAllReduce(x).digest()).toBe(flat.digest());
        expect(allReduce(x).digest()).toBe(flat.digest());
      }),
      { numRuns: 8 },
    );
  });

  it("divides an average once, whatever the mesh", () => {
    fc.assert(
      fc.property(data, orders, shapes, (values, order, shape) => {
        const flat = allReduce(onMesh(meshOf([devices], ids), values, "f32"), { op: "avg" });
        const x = onMesh(meshOf(shape, order), values, "f32");
        expect(hierarchicalAllReduce(x, { op: "avg" }).digest()).toBe(flat.digest());
      }),
      { numRuns: 10 },
    );
  });

  it("handles chunks that are shorter, and more devices in a node than elements", () => {
    const spec = { kind: "normal", seed: 3 } as const;
    for (const [nodes, gpus] of [
      [3, 8],
      [12, 2],
      [5, 7],
    ] as const) {
      for (const size of [1, 5, 17, 64]) {
        const mesh = new Mesh({
          axes: ["node", "gpu"],
          shape: [nodes, gpus],
          devices: nodes * gpus,
        });
        const x = tensor([size], { mesh, random: spec, distinct: true });
        expect(hierarchicalAllReduce(x).digest()).toBe(allReduce(x).digest());
      }
    }
  });

  it("uses the nodes of the machine where the mesh has one axis, also uneven ones", () => {
    const mesh = new Mesh({ axes: ["dp"], devices: 20 });
    const x = tensor([9], { mesh, random: { kind: "normal", seed: 4 }, distinct: true });
    expect(hierarchicalAllReduce(x).digest()).toBe(allReduce(x).digest());
  });

  it("reduces generated values as it reduces stored ones", () => {
    const mesh = meshOf([4, 6], ids);
    const x = tensor([100], { mesh, random: { kind: "normal", seed: 5 }, distinct: true });
    const stored = DistTensor.fromLocals({
      mesh,
      layout: x.layout,
      locals: (rank) => x.local(rank),
    });
    expect(allReduce(stored).digest()).toBe(allReduce(x).digest());
  });
});

describe("orders of real hardware", () => {
  const mesh = meshOf([4, 6], ids);
  const x = tensor([1000], { mesh, random: { kind: "normal", seed: 6 }, distinct: true });
  const exact = allReduce(x);

  it.each(["rank", "ring", "tree"] as const)(
    "%s order really differs, within its bound",
    (order) => {
      const y = allReduce(x, { order });
      expect(y.digest()).not.toBe(exact.digest());
      const magnitudes = allReduce(
        DistTensor.fromLocals({
          mesh,
          layout: x.layout,
          locals: (rank) =>
            Tensor.over(
              Float64Array.from(x.local(rank).toNumbers(), (value) => Math.abs(value)),
              { dtype: "f64", shape: [1000] },
            ),
        }),
      ).toTensor();
      const bound = y.provenance?.errorBound ?? 0;
      const [off, right] = [y.toTensor().toNumbers(), exact.toTensor().toNumbers()];
      expect(bound).toBeGreaterThan(0);
      for (const [at, value] of off.entries()) {
        const error = Math.abs(value - (right[at] ?? 0));
        expect(error).toBeLessThanOrEqual(bound * 1.01 * (magnitudes.at(at) ?? 0));
      }
    },
  );

  it("depend on the order of devices and on the mesh", () => {
    const turned = tensor([1000], {
      mesh: mesh.remap(ids.toReversed()),
      random: { kind: "normal", seed: 6 },
      distinct: true,
    });
    expect(allReduce(turned).digest()).toBe(exact.digest());
    expect(allReduce(turned, { order: "rank" }).digest()).not.toBe(
      allReduce(x, { order: "rank" }).digest(),
    );
    expect(hierarchicalAllReduce(x, { order: "ring" }).digest()).not.toBe(
      allReduce(x, { order: "ring" }).digest(),
    );
  });

  it("without determinism, the order is that of the modelled algorithm", () => {
    const ring = allReduce(x, { deterministic: false, algorithm: "ring" });
    expect(ring.digest()).toBe(allReduce(x, { order: "ring" }).digest());
    const tree = allReduce(x, { deterministic: false, algorithm: "tree" });
    expect(tree.provenance?.order).toBe("tree");
    expect(tree.digest()).toBe(allReduce(x, { order: "tree" }).digest());
  });

  it("round small floats after every step when they carry themselves", () => {
    const small = tensor([200], {
      mesh,
      random: { kind: "normal", seed: 7 },
      distinct: true,
      dtype: "bf16",
    });
    const wide = allReduce(small, { order: "ring" });
    const narrow = allReduce(small, { order: "ring", accumulate: "dtype" });
    expect(narrow.digest()).not.toBe(wide.digest());
  });
});
