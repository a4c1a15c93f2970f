import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";
import { thrownBy } from "./thrown-by.ts";

const rack = new Mesh({ axes: ["tp", "pp", "dp"], devices: 72 });

const meshes = fc
  .array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 })
  .map((shape) => {
    const axes = shape.map((_, axis) => `a${axis}`);
    return new Mesh({ axes, shape, devices: shape.reduce((a, b) => a * b, 1) });
  });

describe("ranks and coordinates", () => {
  it("count row-major, the last axis fastest", () => {
    expect(rack.coordinatesOf(0)).toEqual([0, 0, 0]);
    expect(rack.coordinatesOf(1)).toEqual([0, 0, 1]);
    expect(rack.coordinatesOf(2)).toEqual([0, 1, 0]);
    expect(rack.rankOf([5, 5, 1])).toBe(71);
  });

  it("lead back and forth for every rank of every mesh", () => {
    fc.assert(
      fc.property(meshes, (mesh) => {
        for (let rank = 0; rank < mesh.size; rank++) {
          expect(mesh.rankOf(mesh.coordinatesOf(rank))).toBe(rank);
        }
      }),
      { numRuns: 50 },
    );
  });

  it.each([-1, 72, 1.5])("refuse the rank %s", (rank) => {
    expect(thrownBy("E_MESH_RANK", () => rack.coordinatesOf(rank)).message).toContain(
      `rank ${rank}`,
    );
  });

  it.each([[[0, 0]], [[0, 0, 2]], [[0, 0, -1]]])("refuse the coordinates %s", (coordinates) => {
    thrownBy("E_MESH_RANK", () => rack.rankOf(coordinates));
  });

  it("lead to devices by id, text ids too", () => {
    const mig = new Mesh({ devices: ["MIG:0:0", "MIG:0:1"] });
    expect(mig.axes).toEqual(["device"]);
    expect(mig.rankOfDevice("MIG:0:1")).toBe(1);
    expect(mig.rankOfDevice("MIG:1:0")).toBeUndefined();
    expect(mig.deviceOf(0)).toBe("MIG:0:0");
  });
});

describe("groups", () => {
  it("along one axis differ only on it", () => {
    const groups = rack.groups("tp");
    expect(groups).toHaveLength(12);
    expect(groups[0]).toEqual([0, 12, 24, 36, 48, 60]);
  });

  it("along several axes are ordered by the first named, then the next", () => {
    expect(rack.groups(["tp", "pp"])).toHaveLength(2);
    const small = new Mesh({ axes: ["a", "b"], devices: 4 });
    expect(small.groups(["a", "b"])).toEqual([[0, 1, 2, 3]]);
    expect(small.groups(["b", "a"])).toEqual([[0, 2, 1, 3]]);
  });

  it("hold each rank exactly once, and groupOf finds it", () => {
    fc.assert(
      fc.property(meshes, fc.nat(), (mesh, pick) => {
        const axes = mesh.axes.filter((_, axis) => (pick >> axis) % 2 === 1);
        const groups = mesh.groups(axes);
        expect(groups.flat().toSorted((a, b) => a - b)).toEqual(
          mesh.devices.map((_, rank) => rank),
        );
        for (const group of groups) {
          for (const rank of group) expect(mesh.groupOf(rank, axes)).toEqual(group);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("along an unknown axis are refused with the name that was meant", () => {
    const error = thrownBy("E_MESH_AXIS", () => rack.groups("tpp"));
    expect(error.message).toBe("The mesh has no axis `tpp` (did you mean `tp`?).");
    expect(error.hint).toContain("tp, pp, dp");
  });

  it("along an axis named twice are refused", () => {
    thrownBy("E_MESH_AXES", () => rack.groups(["tp", "tp"]));
  });
});

describe("meshes made from others", () => {
  it("keep the devices of a sub-mesh and drop its fixed axes", () => {
    const half = rack.subMesh({ dp: 1 });
    expect(half.axes).toEqual(["tp", "pp"]);
    expect(half.shape).toEqual([6, 6]);
    expect(half.devices.slice(0, 3)).toEqual([1, 3, 5]);
    expect(rack.subMesh({ tp: 0, pp: 0, dp: 1 }).devices).toEqual([1]);
  });

  it("refuse coordinates and axes that are not there", () => {
    thrownBy("E_MESH_RANK", () => rack.subMesh({ dp: 2 }));
    thrownBy("E_MESH_AXIS", () => rack.subMesh({ ep: 0 }));
  });

  it("flatten neighbouring axes into one, in the same rank order", () => {
    const flat = rack.flatten(["tp", "pp"], "mp");
    expect(flat.axes).toEqual(["mp", "dp"]);
    expect(flat.shape).toEqual([36, 2]);
    expect(flat.devices).toEqual(rack.devices);
    expect(flat.groups("mp")).toEqual(rack.groups(["tp", "pp"]));
  });

  it.each([[["tp", "dp"]], [["pp", "tp"]], [[]]])("do not flatten %s", (axes) => {
    thrownBy("E_MESH_FLATTEN", () => rack.flatten(axes, "x"));
  });

  it("without a device find a new shape, and warn when it is poor", () => {
    const rest = rack.without(5);
    expect(rest.size).toBe(71);
    expect(rest.rankOfDevice(5)).toBeUndefined();
    expect(rest.warnings[0]).toContain("MESH_DEGENERATE");
  });

  it("without a whole slice of an axis shrink that axis alone", () => {
    const cluster = new Mesh({ axes: ["node", "gpu"], devices: 32 });
    const node = cluster.groupOf(8, "gpu").map((rank) => cluster.deviceOf(rank));
    const rest = cluster.without(node);
    expect(rest.shape).toEqual([3, 8]);
    expect(rest.devices).not.toContain(8);
  });

  it("without a device along an axis give up its whole slice, and the others keep their size", () => {
    const rest = rack.without([5], { along: "dp" });
    expect(rest.shape).toEqual([6, 6, 1]);
    expect(rest.devices.every((device) => Number(device) % 2 === 0)).toBe(true);
  });

  it("refuse to lose a device they have not, or all of them", () => {
    thrownBy("E_MESH_DEVICES", () => rack.without(99));
    thrownBy("E_MESH_DEVICES", () => rack.without(rack.devices));
    expect(rack.without([]).equals(rack)).toBe(true);
  });

  it("remap devices by a permutation, and nothing else", () => {
    const swapped = new Mesh({ axes: ["a"], devices: ["x", "y", "z"] }).remap([2, 0, 1]);
    expect(swapped.devices).toEqual(["z", "x", "y"]);
    thrownBy("E_MESH_DEVICES", () => rack.remap([0, 1]));
    thrownBy("E_MESH_DEVICES", () => swapped.remap([0, 0, 1]));
  });
});

describe("nodes", () => {
  it("are the coordinate on the axis of nodes", () => {
    const pool = new Mesh({ axes: ["node", "gpu"], devices: 1024 });
    expect(pool.nodeOf(8)).toBe(1);
    expect(pool.nodeOf(1023)).toBe(127);
    const racks = new Mesh({
      axes: ["rack", "node", "gpu"],
      devices: 144,
      topology: "gb200-nvl72",
    });
    expect(racks.nodeOf(72)).toBe(18);
  });

  it("are 8 consecutive devices without such an axis, and 4 on NVL72", () => {
    expect(rack.nodeOf(8)).toBe(1);
    const tray = new Mesh({ axes: ["tp", "pp", "dp"], devices: 72, topology: "gb200-nvl72" });
    expect(tray.nodeOf(8)).toBe(2);
    expect(new Mesh({ devices: ["a", "b"] }).nodeOf(1)).toBe(0);
  });

  it("stay those of the devices in sub-meshes and after a remap", () => {
    const pool = new Mesh({ axes: ["node", "gpu"], devices: 32 });
    expect(pool.subMesh({ node: 3 }).nodeOf(0)).toBe(3);
    expect(pool.subMesh({ gpu: 1 }).nodeOf(2)).toBe(2);
    expect(pool.remap(pool.devices.map((_, rank) => 31 - rank)).nodeOf(0)).toBe(3);
  });
});

describe("the fingerprint", () => {
  it("is the same for equal meshes however they were made", () => {
    const same = new Mesh({
      axes: ["tp", "pp", "dp"],
      devices: 72,
      shape: { tp: 6, pp: 6, dp: 2 },
    });
    expect(same.fingerprint).toBe(rack.fingerprint);
    expect(same.equals(rack)).toBe(true);
    expect(rack.fingerprint).toBe(
      "sha256:984147a6434fd67f8706f9b8fec683ebc612e7c9881b8d6ced274036d2063e1f",
    );
  });

  it("differs when the shape, the order, the names, the ids or the topology differ", () => {
    const axes = ["tp", "pp", "dp"];
    const others = [
      new Mesh({ axes, devices: 72, shape: [6, 2, 6] }),
      new Mesh({ axes: ["tp", "pp", "ep"], devices: 72 }),
      new Mesh({ axes, devices: 72, topology: "gb200-nvl72" }),
      new Mesh({ axes, devices: Array.from({ length: 72 }, (_, id) => `${id}`) }),
      rack.remap(rack.devices.map((_, rank) => 71 - rank)),
    ];
    const all = [rack, ...others].map((mesh) => mesh.fingerprint);
    expect(new Set(all).size).toBe(all.length);
  });
});

describe("a description", () => {
  it("names axes, sizes, devices, topology and rule", () => {
    expect(rack.describe()).toBe(
      "tp × pp × dp mesh, 6 × 6 × 2, 72 devices (shape by rule: square first)",
    );
    const one = new Mesh({ devices: 1, topology: "hgx-h100" });
    expect(one.describe()).toBe("device mesh, 1, 1 device on hgx-h100 (shape by rule: single)");
  });
});
