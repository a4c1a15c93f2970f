import { describe, expect, it } from "vitest";
import {
  type Breakage,
  breakDuring,
  currentHealth,
  type Side,
} from "../../../../src/runtime/dist/health/index.ts";
import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";

const pool = new Mesh({ axes: ["node", "gpu"], devices: 32 });
const rack = new Mesh({ axes: ["dp"], devices: 32 });

function linkUnder(breakage: Breakage, [from, to]: [number, number], mesh?: Mesh) {
  return breakDuring(breakage, () => currentHealth().linkBetween(from, to, mesh));
}

const cut = (...sides: Side[]) => ({ kind: "cut", sides }) as const;

describe("cut", () => {
  it("counts a bare range in nodes where the mesh has nodes", () => {
    const half = cut({ range: [0, 2] });
    expect(linkUnder(half, [15, 16], pool)).toBe("cut");
    expect(linkUnder(half, [0, 15], pool)).toBe("up");
    expect(linkUnder(half, [1, 2], pool)).toBe("up");
  });

  it("counts a bare range in devices where it has none", () => {
    const pair = cut({ range: [0, 2] });
    expect(linkUnder(pair, [1, 2], rack)).toBe("cut");
    expect(linkUnder(pair, [15, 16], rack)).toBe("up");
    expect(linkUnder(pair, [1, 2])).toBe("cut");
  });

  it("keeps to nodes on meshes made from one with nodes, when it says nodes", () => {
    const half = cut({ nodes: [0, 2] });
    const flat = pool.flatten(["node", "gpu"], "all");
    expect(linkUnder(half, [15, 16], flat)).toBe("cut");
    expect(linkUnder(half, [1, 2], flat)).toBe("up");
  });

  it("cuts between any two sides, and what no side names is one more", () => {
    const three = cut({ deviceRange: [0, 4] }, { devices: [4, 5] });
    expect(linkUnder(three, [3, 4], rack)).toBe("cut");
    expect(linkUnder(three, [5, 6], rack)).toBe("cut");
    expect(linkUnder(three, [4, 5], rack)).toBe("up");
    expect(linkUnder(three, [6, 31], rack)).toBe("up");
  });

  it("loses only one direction when it is asymmetric", () => {
    const oneWay = { ...cut({ range: [0, 4] }), asymmetric: true };
    expect(linkUnder(oneWay, [3, 4], rack)).toBe("cut");
    expect(linkUnder(oneWay, [4, 3], rack)).toBe("up");
  });

  it("takes single links in the direction they are given", () => {
    const link = { kind: "cut", links: [[3, 4]] } as const;
    expect(linkUnder(link, [3, 4], rack)).toBe("cut");
    expect(linkUnder(link, [4, 3], rack)).toBe("up");
  });

  it("counts named devices by their rank", () => {
    const named = new Mesh({ axes: ["dp"], devices: ["a", "b", "c", "d"] });
    const state = breakDuring(cut({ range: [0, 2] }), () => [
      currentHealth().linkBetween("b", "c", named),
      currentHealth().linkBetween("a", "b", named),
    ]);
    expect(state).toEqual(["cut", "up"]);
  });
});

describe("slow", () => {
  const slowdown = (breakages: readonly Breakage[], [from, to]: [number, number]) =>
    breakDuring(breakages, () => currentHealth().slowdown(from, to, rack));

  it("multiplies what several slow links do, and cuts nothing", () => {
    const all = { kind: "slow", factor: 2 } as const;
    const device = { kind: "slow", factor: 3, device: 5 } as const;
    expect(slowdown([all, device], [4, 5])).toBe(6);
    expect(slowdown([all, device], [5, 4])).toBe(6);
    expect(slowdown([all, device], [3, 4])).toBe(2);
    expect(slowdown([], [3, 4])).toBe(1);
    expect(breakDuring([all], () => currentHealth().linkBetween(3, 4, rack))).toBe("up");
  });

  it("can be between sides only", () => {
    const between = { kind: "slow", factor: 4, sides: [{ range: [0, 4] }] } as const;
    expect(slowdown([between], [3, 4])).toBe(4);
    expect(slowdown([between], [2, 3])).toBe(1);
  });
});

describe("corrupt", () => {
  it("names the wrong bits of a device in an operation", () => {
    const one = { kind: "corrupt", device: 2, element: 7, bit: 3, when: "matmul" } as const;
    const always = { kind: "corrupt", device: 2, element: 0, bit: 0 } as const;
    breakDuring([one, always], () => {
      expect(currentHealth().corruptions(2, "matmul")).toEqual([one, always]);
      expect(currentHealth().corruptions(2, "all-reduce")).toEqual([always]);
      expect(currentHealth().corruptions(1, "matmul")).toEqual([]);
    });
  });
});
