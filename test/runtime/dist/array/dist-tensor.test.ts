import { describe, expect, it } from "vitest";
import {
  breakDuring,
  DistTensor,
  Mesh,
  partial,
  shardSpec,
  tensor,
} from "../../../../src/runtime/dist/index.ts";
import { fromValues, ones, zeros } from "../../../../src/runtime/tensor/index.ts";
import { thrownBy } from "../mesh/thrown-by.ts";

const mesh = new Mesh({ axes: ["tp", "dp"], shape: [3, 2], devices: 6 });
const rows = shardSpec({ partition: [0], meshAxes: ["tp"] });
const x = tensor(
  Float32Array.from({ length: 7 }, (_, at) => at),
  { mesh, layout: rows },
);

describe("fromLocals", () => {
  it("adds up the shape of the whole from the parts", () => {
    const made = DistTensor.fromLocals({ mesh, layout: rows, locals: (rank) => x.local(rank) });
    expect(made.shape).toEqual([7]);
    expect(made.digest()).toBe(x.digest());
  });

  it("replicates by default, and shares what is the same tensor", () => {
    const one = ones([2]);
    const made = DistTensor.fromLocals({ mesh, locals: mesh.devices.map(() => one) });
    expect(made.toArray()).toEqual([1, 1]);
    expect(made.block(0)).toBe(made.block(5));
  });

  it("allows what does not fit, for the report to name", () => {
    const broken = DistTensor.fromLocals({
      mesh,
      locals: (rank) => (rank === 4 ? zeros([3]) : zeros([2])),
    });
    expect(broken.shardingValid()).toBe(false);
    expect(broken.shardingReport().errors.map(({ rank }) => rank)).toContain(4);
  });

  it("refuses another number of locals than there are devices", () => {
    thrownBy("E_SHAPE", () => DistTensor.fromLocals({ mesh, locals: [zeros([1])] }));
  });
});

describe("reading", () => {
  it("refuses values that are still partial", () => {
    const y = tensor([2], { mesh, layout: partial("sum") });
    const error = thrownBy("E_LAYOUT_PARTIAL", () => y.toArray());
    expect(error.message).toContain("sum over tp, dp");
    thrownBy("E_LAYOUT_PARTIAL", () => y.digest());
  });

  it("names the rank that holds something else than the layout says", () => {
    const broken = x.withLocal(2, zeros([9]));
    const error = thrownBy("E_DESYNC", () => broken.toTensor());
    expect(error.message).toContain("rank 2 holds f32[9] instead of f32[3]");
    expect(error.details["ranks"]).toEqual([2]);
  });

  it("takes a living replica for a dead device", () => {
    expect(breakDuring({ kind: "dead", device: 2 }, () => x.digest())).toBe(x.digest());
  });

  it("fails when no living device holds a part", () => {
    const both = [2, 3].map((device) => ({ kind: "dead", device }) as const);
    const error = thrownBy("E_DEVICE_LOST", () => breakDuring(both, () => x.toTensor()));
    expect(error.details).toMatchObject({ rank: 2, device: 2, phase: "read", ranks: [2] });
    expect(breakDuring(both, () => x.shardingValid())).toBe(false);
    expect(breakDuring(both, () => x.local(2).toArray())).toEqual([3, 4, 5]);
  });
});

describe("changing one device", () => {
  it("leaves the tensor it came from as it was", () => {
    const changed = x.withLocal(0, fromValues([9, 9, 9]));
    expect(changed.local(0).toArray()).toEqual([9, 9, 9]);
    expect(changed.block(1)).toBe(x.block(1));
    expect(x.local(0).toArray()).toEqual([0, 1, 2]);
  });

  it("flips one bit of one replica, which the report then names", () => {
    const flipped = x.withBitFlip({ rank: 3, index: 1, bit: 31 });
    expect(flipped.local(3).toArray()).toEqual([3, -4, 5]);
    expect(flipped.local(2).toArray()).toEqual([3, 4, 5]);
    const report = flipped.shardingReport();
    expect(report.valid).toBe(false);
    expect(report.errors.map(({ code }) => code)).toEqual(["replica-mismatch"]);
    const back = flipped.withBitFlip({ rank: 3, index: 1, bit: 31 });
    expect(back.shardingValid()).toBe(true);
  });

  it("flips the upper bits of f64 and the bits of small floats", () => {
    const wide = tensor(Float64Array.of(1), { mesh }).withBitFlip({ rank: 0, index: 0, bit: 63 });
    expect(wide.local(0).item()).toBe(-1);
    const small = tensor([1], { mesh, fill: 1, dtype: "e4m3" });
    expect(small.withBitFlip({ rank: 0, index: 0, bit: 7 }).local(0).item()).toBe(-1);
  });

  it("refuses a bit, an element or a rank that is not there", () => {
    thrownBy("E_SHAPE", () => x.withBitFlip({ rank: 0, index: 3, bit: 0 }));
    thrownBy("E_SHAPE", () => x.withBitFlip({ rank: 0, index: 0, bit: 32 }));
    thrownBy("E_MESH_RANK", () => x.withBitFlip({ rank: 6, index: 0, bit: 0 }));
    thrownBy("E_MESH_RANK", () => x.withLocal(-1, zeros([3])));
  });
});
