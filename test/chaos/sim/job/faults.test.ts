import { describe, expect, it } from "vitest";
import { faultCatalogue } from "../../../../src/chaos/fault/catalogue/index.ts";
import { type FaultName, faultNames } from "../../../../src/chaos/fault/fault-names.ts";
import type { PlannedFault, Target, Trigger } from "../../../../src/chaos/plan/index.ts";
import type { RunRecord } from "../../../../src/chaos/record/index.ts";
import { faultOf, lineage, ofKind, planOf, policy, runPlan } from "./support/plans.ts";

const cut: readonly Target[] = [
  {
    kind: "cut",
    sides: [
      [0, 1],
      [2, 3],
    ],
    asymmetric: false,
  },
];
const store: readonly Target[] = [{ kind: "storage" }];
const secondSave: Trigger = { kind: "checkpoint", nth: 2, phase: "write" };
const restart = (step: number): PlannedFault =>
  faultOf("restart_worker", { id: "later", at: { kind: "step", step }, forUs: null });

/** Faults that nobody in the job notices, with what happens to the final state. */
const silent = new Set<FaultName>(["bit_flip", "strided_corruption", "corrupt_collective"]);

/** Each fault of the simulator in a way that has an effect; others to show it where one is needed. */
const cases: Readonly<Partial<Record<FaultName, readonly PlannedFault[]>>> = {
  fail_node: [faultOf("fail_node", { targets: [{ kind: "node", node: 1 }] })],
  partition: [faultOf("partition", { targets: cut })],
  network_latency: [faultOf("network_latency", { targets: cut })],
  packet_loss: [faultOf("packet_loss", { targets: cut })],
  bandwidth_cap: [faultOf("bandwidth_cap", { targets: cut, params: { bytesPerSecond: 1000 } })],
  link_flap: [faultOf("link_flap", { targets: cut })],
  corrupt_collective: [faultOf("corrupt_collective", { params: { bit: 29 } })],
  slow_storage: [faultOf("slow_storage", { targets: store, at: secondSave })],
  full_storage: [faultOf("full_storage", { targets: store, at: secondSave })],
  torn_write: [faultOf("torn_write", { targets: store, at: secondSave }), restart(18)],
  corrupt_shard: [faultOf("corrupt_shard", { targets: store, forUs: null }), restart(13)],
};

const simulated = faultNames.filter((name) => faultCatalogue[name].worlds.sim !== null);

function faultsOf(name: FaultName): readonly PlannedFault[] {
  const isInstant = faultCatalogue[name].ending === "instant";
  return cases[name] ?? [faultOf(name, isInstant ? { forUs: null } : {})];
}

describe("faults of a simulated training job", () => {
  it.each(simulated)("%s has an effect, is taken back, and leaves nothing", async (name) => {
    const clean = await runPlan(planOf());
    const record = await runPlan(planOf({ faults: faultsOf(name) }));
    const [injection] = record.injections;
    expect(injection?.injectedUs).not.toBeNull();
    expect(injection?.effectUs).toBeGreaterThanOrEqual(injection?.injectedUs ?? Infinity);
    expect(injection?.effect).toMatch(/\w/);
    expect(injection?.revertedUs).not.toBeNull();
    expect(record.residualFaults).toEqual([]);
    expect(record.end).toBe("finished");
    const isSame = record.stateDigest === clean.stateDigest;
    expect(isSame).toBe(!silent.has(name));
    expect(lineage(record)).toEqual(lineage(clean));
  });

  it.each(simulated)("%s changes nothing before its time", async (name) => {
    const [fault] = faultsOf(name);
    const never = { ...(fault as PlannedFault), trigger: { kind: "step", step: 999 } as const };
    const clean = await runPlan(planOf());
    const record = await runPlan(planOf({ faults: [never] }));
    expect(record.injections[0]).toMatchObject({
      injectedUs: null,
      effectUs: null,
      revertedUs: null,
    });
    expect(record.traceHash).toBe(clean.traceHash);
    expect(record.events).toEqual(clean.events);
  });

  it("a number that is none is caught in the step it came in, and the job goes back", async () => {
    const record = await runPlan(planOf({ faults: [faultOf("not_a_number", { forUs: null })] }));
    expect(ofKind(record, "detect")).toMatchObject([{ by: "numerics", ranks: [] }]);
    expect(ofKind(record, "step").filter(({ step }) => step === 12)).toHaveLength(1);
  });

  it.each([
    ["parameter", true],
    ["gradient", false],
  ] as const)("a wrong bit in a %s is found by comparing: %s", async (where, isFound) => {
    const faults = [faultOf("bit_flip", { forUs: null, params: { where, bit: 22 } })];
    const plan = planOf({ faults, workload: { policy: { ...policy, compareEverySteps: 4 } } });
    const [clean, record] = [await runPlan(planOf()), await runPlan(plan)];
    const found = ofKind(record, "detect").map(({ by, ranks }) => ({ by, ranks }));
    expect(found).toEqual(isFound ? [{ by: "comparison", ranks: [1] }] : []);
    expect(record.stateDigest === clean.stateDigest).toBe(isFound);
  });

  it.each([
    [94, 1],
    [95, 0],
  ] as const)("after XID %s the device is there at once: %s", async (xid, atOnce) => {
    const faults = [faultOf("ecc_error", { params: { xid }, forUs: 5_000_000 })];
    const record = await runPlan(planOf({ faults }));
    const [detected, formed] = [ofKind(record, "detect")[0], ofKind(record, "generation")[1]];
    const tookUs = (formed?.atUs ?? 0) - (detected?.atUs ?? 0);
    expect(detected).toMatchObject({ by: "device", ranks: [1] });
    expect(tookUs < 2_000_000).toBe(atOnce === 1);
  });

  it("a device that hangs for less than the timeout is waited for; for longer, its rank is blamed", async () => {
    const hang = (forUs: number) =>
      runPlan(
        planOf({ faults: [faultOf("hang_device", { forUs, at: { kind: "step", step: 5 } })] }),
      );
    const [short, long] = [await hang(3_000_000), await hang(6_000_000)];
    expect(ofKind(short, "detect")).toEqual([]);
    expect(ofKind(long, "detect")).toMatchObject([{ by: "collective", ranks: [1] }]);
    expect(ofKind(long, "stuck")).toMatchObject([
      { form: "hang", cause: "outside a collective", ranks: [0, 1, 2, 3] },
    ]);
    expect(long.stateDigest).toBe(short.stateDigest);
  });

  it("a one-way cut stops whoever needs that way, and nobody else", async () => {
    const link = (from: number, to: number) =>
      faultOf("partition", { targets: [{ kind: "link", from, to }], forUs: 8_000_000 });
    const hit = await runPlan(planOf({ faults: [link(1, 2)] }));
    expect(ofKind(hit, "detect")).toMatchObject([{ by: "collective" }]);
    // A link that no rank of the job uses.
    const spare = { fleet: { spareNodes: 1 } };
    const idle = await runPlan(planOf({ ...spare, faults: [link(1, 5)] }));
    expect(ofKind(idle, "detect")).toEqual([]);
    expect(idle.injections[0]?.effectUs).toBeNull();
  });

  const alone = (rank: number): readonly Target[] => [
    { kind: "cut", sides: [[rank]], asymmetric: false },
  ];
  /** How long the step took whose begin was that of the fault. */
  const stepUs = (record: RunRecord): number =>
    (ofKind(record, "step").find(({ step }) => step === 12)?.atUs ?? Number.NaN) -
    (record.injections[0]?.injectedUs ?? Number.NaN);

  it.each([0, 1])(
    "a link of rank %s that flapped is met as it is after it, not as it was",
    async (rank) => {
      // Met down at 204, 612 and 1,428 ms as well, if it went on.
      const params = { downUs: 190_000, upUs: 14_000 };
      const flap = (forUs: number) =>
        runPlan(
          planOf({ faults: [faultOf("link_flap", { targets: alone(rank), params, forUs })] }),
        );
      const [short, long] = [await flap(190_000), await flap(100_000_000)];
      expect(ofKind(short, "detect")).toEqual([]);
      // The exchange comes after 100 ms, and is sent again 204 ms later.
      expect(stepUs(short)).toBeGreaterThan(300_000);
      expect(stepUs(short)).toBeLessThan(350_000);
      expect(ofKind(long, "detect")).not.toEqual([]);
    },
  );

  it.each([
    ["pp", { dp: 2, tp: 1, pp: 2 }],
    ["tp", { dp: 2, tp: 2, pp: 1 }],
  ] as const)(
    "a flap between ranks along %s is over for what is under way",
    async (axis, shape) => {
      const targets: readonly Target[] = [{ kind: "group", axis, ranks: [0, 1] }];
      const params = { downUs: 190_000, upUs: 14_000 };
      const faults = [faultOf("link_flap", { targets, params, forUs: 190_000 })];
      const [clean, record] = [
        await runPlan(planOf({ workload: { shape } })),
        await runPlan(planOf({ faults, workload: { shape } })),
      ];
      expect(record.injections[0]?.effect).toContain("found a link down");
      expect(ofKind(record, "detect")).toEqual([]);
      expect(stepUs(record)).toBeLessThan(500_000);
      expect(record.stateDigest).toBe(clean.stateDigest);
    },
  );

  it("a cut that ends is over for an exchange with its next retransmission", async () => {
    const cutFor = (forUs: number) =>
      runPlan(planOf({ faults: [faultOf("partition", { targets: alone(1), forUs })] }));
    const [short, long] = [await cutFor(150_000), await cutFor(350_000)];
    // It comes after 100 ms, is sent again 204 ms later, and 408 ms after that.
    expect(stepUs(short)).toBeGreaterThan(300_000);
    expect(stepUs(short)).toBeLessThan(350_000);
    expect(stepUs(long)).toBeGreaterThan(710_000);
    expect(stepUs(long)).toBeLessThan(800_000);
  });
});
