import { describe, expect, it } from "vitest";
import type { PlannedFault } from "../../../../src/chaos/plan/index.ts";
import type { RunRecord } from "../../../../src/chaos/record/index.ts";
import { faultOf, ofKind, planOf, policy, runPlan } from "./support/plans.ts";

const clean = runPlan(planOf());
const shrinking = { ...policy, onFailure: "shrink", restartsMax: 8 } as const;
const sizes = (record: RunRecord) => ofKind(record, "generation").map(({ dp }) => dp);
const run = (faults: readonly PlannedFault[], dp = 4) =>
  runPlan(planOf({ faults, workload: { shape: { dp, tp: 1, pp: 1 }, policy: shrinking } }));

async function expectSame(record: RunRecord): Promise<void> {
  expect(record.end).toBe("finished");
  expect(record.stateDigest).toBe((await clean).stateDigest);
}

describe("a job that may shrink", () => {
  // The coordinator is on the side of rank 0, and hears of nobody else.
  const cut = (forUs: number) =>
    faultOf("partition", {
      targets: [{ kind: "cut", sides: [[0]], asymmetric: false }],
      at: { kind: "step", step: 12 },
      forUs,
    });

  it("keeps all replicas when the coordinator was cut off for a while", async () => {
    const record = await run([cut(3_000_000)]);
    await expectSame(record);
    expect(ofKind(record, "detect")[0]).toMatchObject({ by: "heartbeat", ranks: [] });
    expect(sizes(record)).toEqual([4, 4]);
  });

  it("does without one rank that is cut off", async () => {
    const one = { ...cut(3_000_000), targets: [{ kind: "cut", sides: [[3]], asymmetric: false }] };
    const record = await run([one as PlannedFault]);
    await expectSame(record);
    expect(ofKind(record, "detect")[0]).toMatchObject({ by: "heartbeat", ranks: [3] });
    expect(sizes(record)).toEqual([4, 3]);
  });

  const frozen = (rank: number, step: number) =>
    faultOf("freeze_worker", {
      id: `frozen ${rank}`,
      targets: [{ kind: "rank", rank }],
      at: { kind: "step", step },
      forUs: 6_000_000,
    });
  const killed = (rank: number, step: number) =>
    faultOf("kill_device", {
      id: `killed ${rank}`,
      targets: [{ kind: "rank", rank }],
      at: { kind: "step", step },
      forUs: null,
    });

  it("starts its last replica again when that is only silent", async () => {
    const record = await run([killed(1, 6), frozen(0, 14)], 2);
    await expectSame(record);
    expect(sizes(record)).toEqual([2, 1, 1]);
  });

  it("takes a silent replica back when the other one is gone for good", async () => {
    const record = await run([frozen(1, 6), killed(0, 14)], 2);
    await expectSame(record);
    expect(sizes(record)).toEqual([2, 1, 1]);
  });

  it("gives up when both are gone for good", async () => {
    const record = await run([killed(1, 6), killed(0, 14)], 2);
    expect(record.end).toBe("gave-up");
    expect(ofKind(record, "give-up")[0]?.reason).toMatch(/^no whole replica is left/);
  });
});
