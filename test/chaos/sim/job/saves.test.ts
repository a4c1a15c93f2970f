import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../../../src/chaos/record/index.ts";
import { faultOf, ofKind, planOf, policy, runPlan, workload } from "./support/plans.ts";

const pace = { ...workload.pace, computeUs: 2000, jitter: 0, saveUs: 100_000 };
const small = { shape: { dp: 1, tp: 1, pp: 2 }, steps: 10, pace };
const checkpoint = { everySteps: 2, keep: 3, asynchronous: true };
const saves = (record: RunRecord) =>
  ofKind(record, "save")
    .filter(({ phase }) => phase !== "begun")
    .map(({ step, phase }) => `${step} ${phase}`);

describe("saves beside the training", () => {
  // The commits keep rank 0 behind. When the store is fast again, rank 1 has written its next part while
  // rank 0 is still at the one before.
  const slow = faultOf("slow_storage", {
    at: { kind: "checkpoint", nth: 1, phase: "write" },
    targets: [{ kind: "storage" }],
    params: { factor: 20 },
    forUs: 3_000_000,
  });

  it("count what another rank wrote before rank 0 began", async () => {
    const record = await runPlan(planOf({ faults: [slow], workload: { ...small, checkpoint } }));
    expect(record.end).toBe("finished");
    expect(ofKind(record, "detect")).toEqual([]);
    expect(saves(record)).toEqual([2, 4, 6, 8, 10].map((step) => `${step} committed`));
  });

  it("fail when another rank found no room before rank 0 began, and the next one does not", async () => {
    // Full for a moment, in which only the third part of rank 1 ends.
    const full = faultOf("full_storage", {
      at: { kind: "time", atUs: 4_030_000 },
      targets: [{ kind: "storage" }],
      params: { freeBytes: 0 },
      forUs: 150_000,
    });
    const record = await runPlan(
      planOf({ faults: [slow, full], workload: { ...small, checkpoint } }),
    );
    expect(record.end).toBe("finished");
    expect(ofKind(record, "detect")).toEqual([]);
    expect(saves(record)).toEqual([
      "2 committed",
      "4 committed",
      "6 failed",
      "8 committed",
      "10 committed",
    ]);
  });
});

describe("whom a fault is said to hit", () => {
  it("are the ranks on a node, not its empty devices", async () => {
    const plan = planOf({
      workload: { shape: { dp: 3, tp: 1, pp: 1 }, policy: { ...policy, onFailure: "spare" } },
      fleet: { nodes: 2, devicesPerNode: 2, spareNodes: 2 },
      faults: [
        faultOf("fail_node", { targets: [{ kind: "node", node: 1 }], id: "half empty" }),
        faultOf("fail_node", {
          at: { kind: "step", step: 16 },
          targets: [{ kind: "node", node: 0 }],
          id: "full",
        }),
      ],
    });
    const { injections } = await runPlan(plan);
    expect(injections.map(({ ranks }) => ranks)).toEqual([[2], [0, 1]]);
  });
});
