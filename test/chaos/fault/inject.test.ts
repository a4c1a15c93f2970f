import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type FaultSpec, inject } from "../../../src/chaos/fault/index.ts";
import { currentHealth } from "../../../src/runtime/dist/health/index.ts";
import { Mesh } from "../../../src/runtime/dist/mesh/index.ts";

const dead = () =>
  [...currentHealth().deadDevices].map(String).toSorted((a, b) => a.localeCompare(b));

/** What a spec that the types would refuse is refused with. */
function refusal(spec: object): unknown {
  try {
    inject(spec as FaultSpec);
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("a fault", () => {
  it("holds inside its block and is put right after it", () => {
    {
      using _ = inject({ dropDevice: 5 });
      expect(dead()).toEqual(["5"]);
    }
    expect(currentHealth().empty).toBe(true);
  });

  it("nests, and may end before one that began later", () => {
    const first = inject({ dropDevice: 1 });
    const second = inject({ dropDevice: [2, "GPU3"] });
    expect(dead()).toEqual(["1", "2", "GPU3"]);
    first[Symbol.dispose]();
    expect(dead()).toEqual(["2", "GPU3"]);
    second[Symbol.dispose]();
    second[Symbol.dispose]();
    expect(currentHealth().empty).toBe(true);
  });

  it("given twice ends twice", () => {
    const first = inject({ dropDevice: 1 });
    const second = inject({ dropDevice: 1 });
    second[Symbol.dispose]();
    expect(dead()).toEqual(["1"]);
    first[Symbol.dispose]();
    expect(dead()).toEqual([]);
  });

  it("with a function lasts as long as that, and gives what it gives", () => {
    expect(inject({ dropDevice: 5 }, dead)).toEqual(["5"]);
    expect(dead()).toEqual([]);
  });

  it("with an async function lasts until its promise settles, for it alone", async () => {
    const task = async (device: number) => {
      await turn();
      const seen = dead();
      await turn();
      return [device, seen];
    };
    const tasks = [3, 4].map((device) => inject({ dropDevice: device }, () => task(device)));
    expect(dead()).toEqual([]);
    expect(await Promise.all(tasks)).toEqual([
      [3, ["3"]],
      [4, ["4"]],
    ]);
  });

  it("is put right when the function throws or rejects", async () => {
    const fail = () => {
      throw new Error("no");
    };
    expect(() => inject({ dropDevice: 5 }, fail)).toThrow("no");
    const rejecting = inject({ dropDevice: 5 }, async () => {
      await turn();
      fail();
    });
    await expect(rejecting).rejects.toThrow("no");
    expect(currentHealth().empty).toBe(true);
  });

  it("is seen to end by work that goes on after it", async () => {
    let late: Promise<readonly unknown[]> = Promise.resolve([]);
    inject({ dropDevice: 5 }, () => {
      late = turn().then(dead);
    });
    expect(await late).toEqual([]);
  });
});

describe("a network partition", () => {
  const cut = (mesh: Mesh, from: number, to: number) =>
    currentHealth().linkBetween(from, to, mesh) === "cut";

  it("counts nodes where the mesh has nodes, up to but not including the second number", () => {
    const cluster = new Mesh({ axes: ["node", "gpu"], devices: 1024 });
    using _ = inject({ networkPartition: [[0, 64]] });
    expect(cut(cluster, 0, 511)).toBe(false);
    expect(cut(cluster, 511, 512)).toBe(true);
    expect(cut(cluster, 512, 0)).toBe(true);
    expect(cut(cluster, 512, 1023)).toBe(false);
  });

  it("counts devices where it has none", () => {
    const rack = new Mesh({ axes: ["dp"], devices: 72 });
    using _ = inject({ networkPartition: [[0, 36]] });
    expect(cut(rack, 0, 35)).toBe(false);
    expect(cut(rack, 35, 36)).toBe(true);
  });
});

describe("a flipped bit", () => {
  it("is in the operation it names and in no other, on its device alone", () => {
    using _ = inject({ bitFlip: { device: 5, bit: 12, element: 3, op: "matmul" } });
    expect(currentHealth().corruptions(5, "matmul")).toEqual([
      { kind: "corrupt", device: 5, bit: 12, element: 3, when: "matmul" },
    ]);
    expect(currentHealth().corruptions(5, "all-reduce")).toEqual([]);
    expect(currentHealth().corruptions(4, "matmul")).toEqual([]);
  });

  it("is the lowest bit of the first element of every operation when nothing else is said", () => {
    using _ = inject({ bitFlip: [{ device: 1 }, { device: "GPU2", where: "output" }] });
    expect(currentHealth().corruptions(1, "all-reduce")).toEqual([
      { kind: "corrupt", device: 1, bit: 0, element: 0 },
    ]);
    expect(currentHealth().corruptions("GPU2", "matmul")).toMatchObject([{ where: "output" }]);
  });
});

describe("what is no fault", () => {
  it("is refused with a list of what exists, and nothing is broken", () => {
    expect(refusal({ dropDevices: 5 })).toMatchObject({
      code: "E_FAULT_UNKNOWN",
      message: "There is no fault dropDevices (did you mean `dropDevice`?).",
      hint: expect.stringMatching(/^The faults are dropDevice, offBus, .*corruptCollective\.$/),
    });
    expect(refusal({ dropDevice: 5, melt: true })).toMatchObject({ code: "E_FAULT_UNKNOWN" });
    expect(currentHealth().empty).toBe(true);
  });

  it.each([
    {},
    { dropDevice: undefined },
    { dropDevice: -1 },
    { dropDevice: 1.5 },
    { dropDevice: "" },
    { dropDevice: [] },
    { dropDevice: [1, null] },
    { networkPartition: [] },
    { networkPartition: [0, 64] },
    { networkPartition: [[64, 64]] },
    { networkPartition: [[0, 64, 128]] },
    { networkPartition: "all" },
    { bitFlip: 5 },
    { bitFlip: [] },
    { bitFlip: { bit: 3 } },
    { bitFlip: { device: 5, bit: 64 } },
    { bitFlip: { device: 5, element: -1 } },
    { bitFlip: { device: 5, where: "everywhere" } },
    { bitFlip: { device: 5, bits: 3 } },
    { networkPartition: { asymmetric: true } },
    { networkPartition: { groups: [[0]], ranges: [[0, 1]] } },
    { networkPartition: { groups: [[]] } },
    { networkPartition: { links: [[0, 1, 2]] } },
    { latency: "50" },
    { latency: 50 },
    { latency: { latency: "5ms", devices: [1] } },
    { jitter: { jitter: "-5ms" } },
    { packetLoss: 1.1 },
    { bandwidth: 0 },
    { ecc: { device: 5, xid: 63 } },
    { nvlink: { device: 5, state: "slow" } },
    { nvlink: { device: 5, factor: 0.5 } },
    { hang: { device: 5, timeout: 10 } },
    { straggler: 5 },
    { straggler: { device: 5, factor: 0 } },
    { notANumber: { device: 5, bit: 3 } },
    { dropCollective: { nth: 0 } },
    { dropCollective: { nth: 1, share: 0.5 } },
    { dropCollective: "all-reduce" },
    { delayCollective: {} },
    { corruptCollective: { bit: 3 } },
    { outOfMemory: {} },
  ])("is refused with its reason: %j", (spec) => {
    expect(refusal(spec)).toMatchObject({ code: "E_FAULT_INVALID" });
    expect(currentHealth().empty).toBe(true);
  });
});
