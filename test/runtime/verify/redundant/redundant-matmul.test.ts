import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Breakage,
  breakDuring,
  distribute,
  Mesh,
  shardSpec,
} from "../../../../src/runtime/dist/index.ts";
import * as op from "../../../../src/runtime/op/index.ts";
import { session } from "../../../../src/runtime/profile/index.ts";
import { type DType, fromValues, randn } from "../../../../src/runtime/tensor/index.ts";
import { equal, report } from "../../../../src/runtime/verify/equality/index.ts";
import { hostWays } from "../../../../src/runtime/verify/redundant/host-product.ts";
import { redundancyOf } from "../../../../src/runtime/verify/redundant/index.ts";
import { thrownBy } from "../../dist/mesh/thrown-by.ts";

const mesh = new Mesh({ axes: ["tp", "dp"], shape: [3, 2], devices: 6 });
const columns = shardSpec({ partition: ["col"], meshAxes: ["tp"] });
const rows = shardSpec({ partition: ["row"], meshAxes: ["tp"] });
const A = randn([5, 8], { seed: 1 });
const B = randn([8, 7], { seed: 2 });
const onMesh = [distribute(A, { mesh }), distribute(B, { mesh, layout: columns })] as const;

function flip(device: number, element = 0): Breakage {
  return { kind: "corrupt", device, element, bit: 20, when: "matmul" };
}

describe("a redundant product on a mesh", () => {
  it("has the bits of the plain one on healthy devices, and not when one of them flips a bit", () => {
    const [a, b] = onMesh;
    const Y1 = op.matmul(a, b);
    const Y2 = op.matmul(a, b, { redundant: true });
    expect(equal(Y1, Y2)).toBe(true);
    expect(Y2.layout.describe()).toBe(Y1.layout.describe());
    for (const device of mesh.devices) {
      breakDuring(flip(Number(device)), () => {
        const [sick1, sick2] = [op.matmul(a, b), op.matmul(a, b, { redundant: true })];
        expect(equal(sick1, sick2), `device ${device}`).toBe(false);
        const { differing, first } = report(sick1, sick2);
        expect(differing).toBeGreaterThan(0);
        expect(first?.flippedBits).toEqual([20]);
      });
    }
  });

  it("is wrong exactly in the parts that the broken device computed for others", () => {
    const [a, b] = onMesh;
    const y = breakDuring(flip(3), () => op.matmul(a, b, { redundant: true }));
    const plain = op.matmul(a, b);
    const wrong = mesh.devices.flatMap((_, rank) =>
      y.local(rank).digest() === plain.local(rank).digest() ? [] : [rank],
    );
    expect(wrong).toEqual([2]);
  });

  it("says which device computed each part", () => {
    const y = op.matmul(...onMesh, { redundant: true });
    expect(redundancyOf(y)).toMatchObject({
      independence: "other-device",
      computedBy: [1, 2, 3, 4, 5, 0],
    });
    expect(y.provenance).toMatchObject({ op: "matmul", algorithm: "redundant" });
    expect(redundancyOf(op.matmul(...onMesh))).toBeUndefined();
  });

  it("compares unfinished sums, too", () => {
    const [a, b] = [
      distribute(A, { mesh, layout: columns }),
      distribute(B, { mesh, layout: rows }),
    ];
    expect(equal(op.matmul(a, b), op.matmul(a, b, { redundant: true }))).toBe(true);
    breakDuring(flip(2), () => {
      expect(equal(op.matmul(a, b), op.matmul(a, b, { redundant: true }))).toBe(false);
    });
  });

  it("spares an operation that the fault is not about", () => {
    const other: Breakage = { kind: "corrupt", device: 1, element: 0, bit: 3, when: "all-reduce" };
    breakDuring(other, () => {
      expect(equal(op.matmul(...onMesh), op.matmul(...onMesh, { redundant: true }))).toBe(true);
    });
  });

  it("goes round a cut to the next device it reaches, and refuses where it reaches none", () => {
    const cut: Breakage = { kind: "cut", links: [[0, 1]] };
    const y = breakDuring(cut, () => op.matmul(...onMesh, { redundant: true }));
    // Rank 0 cannot send to 1, and rank 1 gets nothing back from 0, which is not its neighbour.
    expect(redundancyOf(y)?.computedBy).toEqual([2, 2, 3, 4, 5, 0]);
    const alone: Breakage = { kind: "cut", sides: [{ devices: [4] }] };
    thrownBy("E_PARTITION", () =>
      breakDuring(alone, () => op.matmul(...onMesh, { redundant: true })),
    );
    const dead: Breakage = { kind: "dead", device: 4 };
    thrownBy("E_DEVICE_LOST", () =>
      breakDuring(dead, () => op.matmul(...onMesh, { redundant: true })),
    );
  });

  it("says that a device alone only checked itself", () => {
    const single = new Mesh({ axes: ["dp"], shape: [1], devices: 1 });
    const y = op.matmul(distribute(A, { mesh: single }), B, { redundant: true });
    expect(redundancyOf(y)?.independence).toBe("same-device");
    expect(y.provenance?.notes[0]).toContain("SAME_DEVICE");
  });

  it("tells the profile that it is redundant, and whether its time is modelled", () => {
    using open = session();
    op.matmul(...onMesh, { redundant: true });
    op.matmul(A, B, { redundant: true });
    const [ofMesh, ofHost] = open.records();
    expect(ofMesh).toMatchObject({ op: "matmul", source: "modelled", devices: 6 });
    expect(ofMesh?.notes?.[0]).toContain("REDUNDANT");
    expect(ofHost).toMatchObject({ op: "matmul", source: "measured" });
    expect(ofHost?.notes?.[0]).toContain("REDUNDANT computed by host wasm instead of");
  });
});

describe("a redundant product on the host", () => {
  const shapes = fc.record({
    batch: fc.constantFrom([], [2]),
    sharedB: fc.boolean(),
    m: fc.integer({ min: 1, max: 24 }),
    k: fc.integer({ min: 0, max: 40 }),
    n: fc.integer({ min: 1, max: 24 }),
    dtype: fc.constantFrom<DType>("f64", "f32", "bf16", "e4m3"),
    accumulate: fc.constantFrom("chain" as const, "exact" as const),
  });

  it("has the bits of the plain one in every way there is", () => {
    fc.assert(
      fc.property(shapes, ({ batch, sharedB, m, k, n, dtype, accumulate }) => {
        const a = randn([...batch, m, k], { seed: 3 }).to(dtype);
        const b = randn([...(sharedB ? [] : batch), k, n], { seed: 4 }).to(dtype);
        const plain = op.matmul(a, b, { accumulate });
        for (const { name, compute } of hostWays(a, b, { accumulate })) {
          expect(equal(compute(a, b), plain), name).toBe(true);
        }
        const y = op.matmul(a, b, { accumulate, redundant: true });
        expect(equal(y, plain)).toBe(true);
        expect(redundancyOf(y)?.independence).toBe("other-code");
      }),
      { numRuns: 40 },
    );
  });

  it("uses another engine than the plain one, and the fast one once the twin would be slow", () => {
    const names = (size: number) => {
      const square = randn([size, size], { seed: 1 });
      return hostWays(square, square).map(({ name }) => name);
    };
    expect(names(8)).toEqual(["host typescript", "host wasm", "host typescript transposed"]);
    expect(names(64)).toEqual(["host wasm", "host typescript", "host wasm transposed"]);
    expect(names(512)).toEqual(["host wasm", "host wasm transposed"]);
  });

  it("keeps infinities, NaN and signed zeros as the plain one has them", () => {
    const inf = Number.POSITIVE_INFINITY;
    const a = fromValues([inf, 1, 0, -0, Number.NaN, 1, -inf, 0, 2], { shape: [3, 3] });
    for (const dtype of ["f32", "f64", "f16"] as const) {
      const x = a.to(dtype);
      expect(equal(op.matmul(x, x), op.matmul(x, x, { redundant: true })), dtype).toBe(true);
    }
  });

  it("gives the dtype that was asked for, and the errors of the plain one", () => {
    const y = op.matmul(A, B, { dtype: "bf16", redundant: true });
    expect(equal(y, op.matmul(A, B, { dtype: "bf16" }))).toBe(true);
    thrownBy("E_SHAPE", () => op.matmul(A, A, { redundant: true }));
    thrownBy("E_DTYPE", () => op.matmul(A, B.to("f16"), { redundant: true }));
    thrownBy("E_SHAPE", () => op.matmul(fromValues([1]), B, { redundant: true }));
  });
});
