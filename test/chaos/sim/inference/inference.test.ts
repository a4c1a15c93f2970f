import { describe, expect, it } from "vitest";
import type {
  ChaosPlan,
  InferenceWorkload,
  PlannedFault,
} from "../../../../src/chaos/plan/index.ts";
import { createSimWorld } from "../../../../src/chaos/sim/index.ts";
import { faultOf, ofKind, planOf, runPlan, summary } from "../job/support/plans.ts";

const workload: InferenceWorkload = {
  kind: "inference",
  replicas: 4,
  requests: 2000,
  ratePerS: 200,
  serviceUs: 10_000,
  requestTimeoutUs: 500_000,
  attemptsMax: 4,
  startUs: 1_000_000,
  seed: "answers",
};

function inferencePlan(
  faults: readonly PlannedFault[] = [],
  changes: Partial<InferenceWorkload> = {},
): ChaosPlan {
  return { ...planOf({ faults }), workload: { ...workload, ...changes } };
}

const at = { kind: "time", atUs: 2_000_000 } as const;
const killed = faultOf("kill_device", { at });
const clean = runPlan(inferencePlan());

describe("a simulated inference job", () => {
  it("answers every request once", async () => {
    const record = await clean;
    expect(record.end).toBe("finished");
    const requests = ofKind(record, "request");
    expect(new Set(requests.map(({ id }) => id)).size).toBe(2000);
    expect(requests.every(({ ok, latencyUs }) => ok && latencyUs >= 10_000)).toBe(true);
    const units = ofKind(record, "step").reduce((sum, step) => sum + step.units, 0);
    expect(units).toBe(2000);
  });

  it.each([
    ["kill_device", {}],
    ["off_bus", {}],
    ["hang_device", {}],
    ["restart_worker", { forUs: null }],
    ["freeze_worker", {}],
    ["straggler", { params: { factor: 3 } }],
    ["fail_node", { targets: [{ kind: "node", node: 1 }] }],
    ["network_latency", { params: { latencyUs: 50_000 } }],
    ["packet_loss", {}],
    ["partition", { targets: [{ kind: "rank", rank: 1 }] }],
  ] as const)("answers the same through %s", async (name, o) => {
    const record = await runPlan(inferencePlan([faultOf(name, { at, ...o })]));
    expect(record.stateDigest).toBe((await clean).stateDigest);
    expect(record.injections[0]?.effectUs).not.toBeNull();
    expect(record.residualFaults).toEqual([]);
  });

  it("says which replica was lost, and when it is back", async () => {
    // Everybody is busy: whoever is lost has a request to lose.
    const record = await runPlan(inferencePlan([killed], { ratePerS: 290 }));
    expect(ofKind(record, "detect")).toMatchObject([{ by: "exit", ranks: [1] }]);
    expect(ofKind(record, "generation").map(({ ranks }) => ranks)).toEqual([4, 4]);
    expect(ofKind(record, "sometimes").map(({ mark }) => mark)).toContain(
      "a request was tried again",
    );
    expect(ofKind(await clean, "detect")).toEqual([]);
  });

  it("tries another replica, and not the one that did not answer", async () => {
    const hang = faultOf("hang_device", { at, forUs: 20_000_000 });
    const few = { replicas: 2, requests: 60, ratePerS: 5, attemptsMax: 2 };
    const record = await runPlan(inferencePlan([hang], few));
    expect(ofKind(record, "request").every(({ ok }) => ok)).toBe(true);
    expect(ofKind(record, "sometimes").length).toBeGreaterThan(0);
  });

  it("loses answers when nobody is left for long, and its digest says so", async () => {
    const all = faultOf("kill_device", {
      at,
      targets: [0, 1, 2, 3].map((rank) => ({ kind: "rank", rank }) as const),
      forUs: 20_000_000,
    });
    const record = await runPlan(inferencePlan([all]));
    expect(record.end).toBe("finished");
    expect(ofKind(record, "request").some(({ ok }) => !ok)).toBe(true);
    expect(record.stateDigest).not.toBe((await clean).stateDigest);
  });

  it("has the same trace twice, and another with another seed", async () => {
    const again = await runPlan(inferencePlan([killed]));
    expect(summary(again)).toEqual(summary(await runPlan(inferencePlan([killed]))));
    const other = await runPlan({ ...inferencePlan([killed]), seed: "other" });
    expect(other.traceHash).not.toBe(again.traceHash);
    expect(other.stateDigest).toBe(again.stateDigest);
  });

  it("refuses what replicas cannot meet", () => {
    const world = createSimWorld();
    expect(world.refusals(inferencePlan([faultOf("drop_collective")]))).toHaveLength(1);
    expect(world.refusals(inferencePlan([killed]))).toEqual([]);
    expect(world.refusals(inferencePlan([], { replicas: 9 }))).toHaveLength(1);
  });
});
