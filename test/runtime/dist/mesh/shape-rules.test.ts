import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";
import { thrownBy } from "./thrown-by.ts";

const three = ["tp", "pp", "dp"];

describe("the shape of a mesh", () => {
  it.each([
    { devices: 72, axes: three, shape: [6, 6, 2], rule: "square first" },
    { devices: 1024, axes: three, shape: [16, 16, 4], rule: "square first" },
    { devices: 64, axes: three, shape: [4, 4, 4], rule: "square first" },
    { devices: 8, axes: three, shape: [2, 2, 2], rule: "square first" },
    { devices: 48, axes: three, shape: [4, 4, 3], rule: "square first" },
    { devices: 192, axes: three, shape: [8, 8, 3], rule: "square first" },
    { devices: 32, axes: [...three, "ep"], shape: [2, 2, 2, 4], rule: "square first" },
    { devices: 72, axes: ["tp", "dp"], shape: [9, 8], rule: "balanced" },
    { devices: 16, axes: ["tp", "dp"], shape: [4, 4], rule: "balanced" },
    { devices: 30, axes: three, shape: [5, 3, 2], rule: "balanced" },
    { devices: 36, axes: [...three, "ep"], shape: [3, 3, 2, 2], rule: "balanced" },
    { devices: 1024, axes: ["node", "gpu"], shape: [128, 8], rule: "topology names" },
    { devices: 1024, axes: ["host", "local"], shape: [128, 8], rule: "topology names" },
    { devices: 4, axes: ["node", "gpu"], shape: [1, 4], rule: "topology names" },
    { devices: 1024, axes: ["dp", "tp", "gpu"], shape: [16, 8, 8], rule: "topology names" },
    { devices: 128, axes: ["rack", "node", "gpu"], shape: [4, 4, 8], rule: "topology names" },
    { devices: 72, axes: ["tp"], shape: [72], rule: "single" },
  ])("of $devices over $axes is $shape, by the rule $rule", ({ devices, axes, shape, rule }) => {
    const mesh = new Mesh({ axes, devices });
    expect(mesh.shape).toEqual(shape);
    expect(mesh.rule).toBe(rule);
    expect(mesh.warnings).toEqual([]);
    expect(mesh.describe()).toContain(`(shape by rule: ${rule})`);
  });

  it.each([
    { devices: 72, axes: ["node", "gpu"], shape: [18, 4] },
    { devices: 1024, axes: ["node", "gpu"], shape: [256, 4] },
    { devices: 144, axes: ["rack", "node", "gpu"], shape: [2, 18, 4] },
    { devices: 144, axes: ["rack", "gpu"], shape: [2, 72] },
  ])("of $devices over $axes on NVL72 goes by trays of 4: $shape", ({ devices, axes, shape }) => {
    expect(new Mesh({ axes, devices, topology: "gb200-nvl72" }).shape).toEqual(shape);
  });

  it("of 72 over three axes is never the 6 × 4 × 3 of MPI", () => {
    expect(new Mesh({ axes: three, devices: 72 }).shape).not.toEqual([6, 4, 3]);
  });

  it("is the given one, whatever the rules say", () => {
    const mesh = new Mesh({ axes: three, devices: 72, shape: [4, 6, 3] });
    expect(mesh.shape).toEqual([4, 6, 3]);
    expect(mesh.rule).toBe("explicit");
    const named = new Mesh({ axes: three, devices: 72, shape: { dp: 3, tp: 4, pp: 6 } });
    expect(named.shape).toEqual([4, 6, 3]);
  });

  it("gives the axes their names when it is given by name alone", () => {
    const mesh = new Mesh({ shape: { tp: 12, ep: 6 }, devices: 72 });
    expect(mesh.axes).toEqual(["tp", "ep"]);
    expect(mesh.shape).toEqual([12, 6]);
  });

  it("comes from nested lists, whose order is the rank order", () => {
    const mesh = new Mesh({
      axes: ["tp", "dp"],
      devices: [
        [0, 1, 2, 3],
        [7, 6, 5, 4],
      ],
    });
    expect(mesh.shape).toEqual([2, 4]);
    expect(mesh.rule).toBe("nested");
    expect(mesh.deviceOf(4)).toBe(7);
  });

  it("given explicitly wins over the nesting of the lists", () => {
    const devices = [
      [0, 1, 2],
      [3, 4, 5],
    ];
    expect(new Mesh({ axes: ["a", "b"], devices, shape: [3, 2] }).shape).toEqual([3, 2]);
  });

  it("of a prime number of devices warns that axes have size 1, and names them", () => {
    const mesh = new Mesh({ axes: three, devices: 71 });
    expect(mesh.shape).toEqual([71, 1, 1]);
    expect(mesh.warnings).toEqual([
      "MESH_DEGENERATE: 71 devices over tp, pp, dp became 71 × 1 × 1, with size 1 for pp and dp",
    ]);
  });

  it("with an axis of size 1 is refused by a strict mesh, unless it was asked for", () => {
    const error = thrownBy(
      "E_MESH_DEGENERATE",
      () => new Mesh({ axes: three, devices: 71, strict: true }),
    );
    expect(error.message).toContain("71 × 1 × 1");
    expect(new Mesh({ axes: three, devices: 71, shape: [71, 1, 1], strict: true }).size).toBe(71);
    expect(new Mesh({ axes: three, devices: 72, strict: true }).shape).toEqual([6, 6, 2]);
  });

  it("warns when the devices do not fill whole nodes, and falls back on the balanced rule", () => {
    const mesh = new Mesh({ axes: ["node", "gpu"], devices: 12 });
    expect(mesh.shape).toEqual([4, 3]);
    expect(mesh.warnings[0]).toContain("MESH_TOPOLOGY: 12 devices do not fill nodes of 8");
  });

  it("warns when a given axis of GPUs is not what a node of the topology has", () => {
    const given = { axes: ["node", "gpu"], devices: 64, topology: "gb200-nvl72" };
    expect(new Mesh({ ...given, shape: [8, 8] }).warnings[0]).toContain("gpu has size 8");
    expect(new Mesh({ ...given, shape: [16, 4] }).warnings).toEqual([]);
  });

  it("always has the number of devices as its product, and no axis of 1 under strict", () => {
    const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "node", "gpu", "rack"), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), names, (devices, axes) => {
        const mesh = new Mesh({ axes, devices });
        expect(mesh.shape).toHaveLength(axes.length);
        expect(mesh.shape.every((size) => Number.isInteger(size) && size >= 1)).toBe(true);
        expect(mesh.shape.reduce((a, b) => a * b, 1)).toBe(devices);
        const degenerate = axes.some((axis, at) => axis !== "node" && mesh.shape[at] === 1);
        const warned = mesh.warnings.some((text) => text.startsWith("MESH_DEGENERATE"));
        expect(warned).toBe(degenerate && axes.length > 1);
      }),
      { numRuns: 150 },
    );
  });
});

describe("a mesh refuses", () => {
  it.each([
    { axes: [], problem: "at least one axis" },
    { axes: ["tp", "tp"], problem: "`tp` is there twice" },
    { axes: ["tp", ""], problem: "empty" },
    { axes: [" tp"], problem: "` tp` is no name" },
  ])("the axes $axes", ({ axes, problem }) => {
    expect(thrownBy("E_MESH_AXES", () => new Mesh({ axes, devices: 4 })).message).toContain(
      problem,
    );
  });

  it.each([
    { shape: [6, 6, 3], problem: "that makes 108 devices" },
    { shape: [72, 1], problem: "2 sizes for 3 axes" },
    { shape: [-6, -6, 2], problem: "-6 is no size" },
    { shape: [1.5, 12, 4], problem: "1.5 is no size" },
    { shape: { tp: 6, pp: 12 }, problem: "no size for the axis dp" },
  ])("the shape $shape for 72 devices over three axes", ({ shape, problem }) => {
    const error = thrownBy("E_MESH_SHAPE", () => new Mesh({ axes: three, devices: 72, shape }));
    expect(error.message).toContain(problem);
  });

  it("a shape for an axis it has not, and says which was meant", () => {
    const shape = { tp: 6, pp: 6, ddp: 2 };
    const error = thrownBy("E_MESH_AXIS", () => new Mesh({ axes: three, devices: 72, shape }));
    expect(error.message).toContain("did you mean `dp`?");
  });

  it("nested lists that are not as deep as there are axes", () => {
    const error = thrownBy(
      "E_MESH_SHAPE",
      () =>
        new Mesh({
          axes: three,
          devices: [
            [0, 1],
            [2, 3],
          ],
        }),
    );
    expect(error.message).toContain("nest 2 deep, and there are 3 axes");
  });

  it.each([
    { devices: 0, problem: "0 is no number of devices" },
    { devices: 2.5, problem: "2.5 is no number" },
    { devices: 2_000_000, problem: "more than" },
    { devices: [], problem: "empty" },
    { devices: [0, 1, 1, 2], problem: "device 1 is there twice" },
    { devices: [5, "5"], problem: "device 5 is there twice" },
    { devices: [0, -1], problem: "-1 is no device id" },
    { devices: ["GPU0", " "], problem: "no device id" },
    { devices: [[0, 1], [2]], problem: "differ in length" },
    { devices: [[0, 1], 2], problem: "nest equally deep" },
  ])("the devices $devices", ({ devices, problem }) => {
    const error = thrownBy("E_MESH_DEVICES", () => new Mesh({ axes: ["a", "b"], devices }));
    expect(error.message).toContain(problem);
  });
});
