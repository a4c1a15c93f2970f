import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import {
  allGather,
  allReduce,
  barrier,
  broadcast,
  hierarchicalAllReduce,
} from "../../../../src/runtime/dist/collectives/index.ts";
import {
  breakDuring,
  type DistTensor,
  Mesh,
  partial,
  tensor,
} from "../../../../src/runtime/dist/index.ts";
import { session } from "../../../../src/runtime/profile/index.ts";

const rack = new Mesh({ axes: ["dp"], devices: 72, topology: "gb200-nvl72" });
const pool = new Mesh({ axes: ["node", "gpu"], devices: 1024 });

function recordsOf(run: () => unknown) {
  using open = session();
  run();
  return open.records();
}

const onlyRecordOf = (run: () => unknown) => {
  const records = recordsOf(run);
  expect(records).toHaveLength(1);
  return records[0];
};

describe("what the profile learns", () => {
  it("has the modelled time and bandwidths of a collective", () => {
    const x = tensor([4096, 4096], { mesh: rack });
    const record = onlyRecordOf(() => allReduce(x, { op: "sum" }));
    expect(record).toMatchObject({
      op: "all-reduce",
      kind: "collective",
      source: "modelled",
      bytes: 67_108_864,
      devices: 72,
      groups: 1,
      dtype: "f32",
      topology: "gb200-nvl72",
      axes: ["dp"],
    });
    expect(record?.timeUs).toBeGreaterThan(300);
    expect(record?.timeUs).toBeLessThan(400);
    expect(record?.busbwGBps).toBeGreaterThan(340);
  });

  it("counts groups, and what one device ends with for an all-gather", () => {
    const x = tensor([8, 2], { mesh: pool });
    const record = onlyRecordOf(() => allGather(x, { over: "gpu" }));
    expect(record).toMatchObject({ bytes: 8 * 64, devices: 1024, groups: 128 });
  });

  it("says which topology was assumed", () => {
    const assumed = (mesh: Mesh) => allReduce(tensor([1], { mesh })).provenance;
    expect(assumed(pool)).toMatchObject({ topology: "hgx-h100", topologyAssumed: true });
    const small = new Mesh({ axes: ["dp"], devices: 72 });
    expect(assumed(small)).toMatchObject({ topology: "gb200-nvl72", topologyAssumed: true });
    expect(assumed(small)?.notes.join()).toContain("TOPOLOGY_ASSUMED");
    expect(assumed(rack)).toMatchObject({ topologyAssumed: false });
    expect(assumed(new Mesh({ axes: ["dp"], devices: 73 }))).toMatchObject({
      topology: "hgx-h100",
    });
  });

  it("remarks on sums of replicas, not on sums of terms", () => {
    const notesOf = (x: DistTensor, op: "sum" | "max") =>
      onlyRecordOf(() => allReduce(x, { op }))?.notes?.join() ?? "";
    const copies = tensor([1], { mesh: rack });
    const terms = tensor([1], { mesh: rack, layout: partial("sum") });
    expect(notesOf(copies, "sum")).toContain("REDUCE_OF_REPLICATED each of the 72 replicas");
    expect(notesOf(copies, "max")).not.toContain("REDUCE_OF_REPLICATED");
    expect(notesOf(terms, "sum")).not.toContain("REDUCE_OF_REPLICATED");
    expect(notesOf(terms, "max")).toContain("REDUCE_OF_OTHER_PARTIAL");
  });

  it("takes longer over a slow link, and says so", () => {
    const x = tensor([4096, 4096], { mesh: rack });
    const usual = onlyRecordOf(() => allReduce(x))?.timeUs ?? 0;
    const slow = { kind: "slow", factor: 4, device: 7 } as const;
    const record = breakDuring(slow, () => onlyRecordOf(() => allReduce(x)));
    expect(record?.timeUs).toBeGreaterThan(1.5 * usual);
    expect(record?.notes?.join()).toContain("SLOW_LINK");
  });

  it("sees a barrier and groups of one device", () => {
    expect(onlyRecordOf(() => barrier(rack))).toMatchObject({ op: "barrier", bytes: 0 });
    const one = new Mesh({ axes: ["dp"], devices: 1 });
    const record = onlyRecordOf(() => allReduce(tensor([4], { mesh: one })));
    expect(record).toMatchObject({ timeUs: 0, algorithm: "none" });
  });

  it("is not told about what failed", () => {
    const run = () => {
      expect(() => allReduce(tensor([1], { mesh: rack }))).toThrow("lost device");
    };
    expect(breakDuring({ kind: "dead", device: 0 }, () => recordsOf(run))).toEqual([]);
  });
});

describe("what a result remembers", () => {
  it("is how it was made", () => {
    const x = tensor([4], { mesh: pool, random: { kind: "normal", seed: 1 }, distinct: true });
    const y = hierarchicalAllReduce(x);
    expect(y.provenance).toMatchObject({
      op: "hierarchical-all-reduce",
      axes: ["node", "gpu"],
      reduceOp: "sum",
      order: "exact",
      reduceOrderId: "exact/1",
      algorithm: "hierarchical",
      meshFingerprint: pool.fingerprint,
    });
    expect(hierarchicalAllReduce(x, { order: "ring" }).provenance?.reduceOrderId).toBe(
      "hierarchical-ring-1024/1",
    );
    expect(x.provenance).toBeUndefined();
    expect(y.withBitFlip({ rank: 0, index: 0, bit: 0 }).provenance).toBeUndefined();
  });

  it("is not the tensor it was made from, which can go", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const input = () => tensor([4], { mesh: rack, random: { kind: "normal", seed: 2 } });
    const kept: DistTensor[] = [];
    const gone = [allReduce, (x: DistTensor) => broadcast(x)].map((run) => {
      const x = input();
      kept.push(run(x));
      return new WeakRef(x);
    });
    for (let turns = 0; turns < 50 && gone.some((x) => x.deref() !== undefined); turns++) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      collect();
    }
    expect(gone.map((x) => x.deref())).toEqual([undefined, undefined]);
    expect(kept.map((y) => y.provenance?.op)).toEqual(["all-reduce", "broadcast"]);
  });
});
