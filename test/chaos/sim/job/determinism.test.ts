import { describe, expect, it } from "vitest";
import type { ChaosPlan } from "../../../../src/chaos/plan/index.ts";
import type { RunRecord } from "../../../../src/chaos/record/index.ts";
import type { Trace } from "../../../../src/chaos/sim/engine/index.ts";
import { createSimWorld } from "../../../../src/chaos/sim/index.ts";
import { faultOf, lineage, ofKind, planOf, runPlan, summary } from "./support/plans.ts";
import { randomPlan } from "./support/random-plans.ts";

/** Faults that change values without anybody noticing, in the step in which they come or later. */
const silent = new Set(["bit_flip", "strided_corruption", "corrupt_collective"]);

const plans = Array.from({ length: 80 }, (_, n) => randomPlan(n));
const runs = new Map<ChaosPlan, Promise<RunRecord>>();

/** The first run of a plan; digests and samples do not depend on mesh, policy and saves. */
function firstRun(plan: ChaosPlan): Promise<RunRecord> {
  const known = runs.get(plan) ?? runPlan(plan);
  runs.set(plan, known);
  return known;
}
const bare = planOf();

describe("a bag of random plans", () => {
  it("runs each twice to the same trace, events and state", async () => {
    for (const plan of plans) {
      const [first, again] = [await firstRun(plan), await runPlan(plan)];
      expect(again.traceHash).toBe(first.traceHash);
      expect(JSON.stringify(again)).toBe(JSON.stringify(first));
    }
  });

  it("gives the same when events are handed on and the process breathes", async () => {
    for (const plan of plans.slice(0, 10)) {
      let heard = 0;
      const world = createSimWorld({ breathe: () => Promise.resolve() });
      const record = await world.run(plan, {
        signal: new AbortController().signal,
        onEvent: () => {
          heard++;
        },
      });
      expect(summary(record)).toEqual(summary(await firstRun(plan)));
      expect(heard).toBeGreaterThan(0);
    }
  });

  it("shows the entries of its trace that somebody asks for, and is the same run", async () => {
    let seen: Trace | undefined;
    const traceWindow = { from: 10, entries: 3 };
    const world = createSimWorld({ traceWindow, onTrace: (trace) => (seen = trace) });
    const record = await world.run(bare, { signal: new AbortController().signal });
    expect(seen?.window.map(({ index }) => index)).toEqual([10, 11, 12]);
    expect(record.traceHash).toBe((await firstRun(bare)).traceHash);
  });

  it("keeps its laws: nothing left, times in order, what is finished is right", async () => {
    const ends = new Map<string, number>();
    const clean = await firstRun(bare);
    for (const plan of plans) {
      const record = await firstRun(plan);
      ends.set(record.end, (ends.get(record.end) ?? 0) + 1);
      expect(record.residualFaults).toEqual([]);
      const times = record.events.map(({ atUs }) => atUs);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      expect(times.at(-1) ?? 0).toBeLessThanOrEqual(record.endUs);
      for (const { injectedUs, effectUs, revertedUs } of record.injections) {
        if (injectedUs === null) expect([effectUs, revertedUs]).toEqual([null, null]);
        else expect(revertedUs).toBeGreaterThanOrEqual(injectedUs);
      }
      for (const restore of ofKind(record, "restore")) expect(restore.falseAccept).not.toBe(true);
      if (record.end !== "finished") continue;
      expect(lineage(record)).toEqual(lineage(clean));
      if (plan.faults.some(({ fault }) => silent.has(fault))) continue;
      expect(record.stateDigest).toBe(clean.stateDigest);
    }
    expect(ends.get("finished")).toBeGreaterThan(25);
    expect(ends.get("gave-up")).toBeGreaterThan(5);
  });

  it("finds no two ranks that wait for each other", async () => {
    for (const plan of plans) {
      const stuck = ofKind(await firstRun(plan), "stuck");
      expect(stuck.filter(({ form }) => form === "deadlock")).toEqual([]);
    }
  });
});

describe("one plan", () => {
  // The same on every version of Node; another hash is another simulator, and old journals do not replay.
  it.each([
    ["clean", planOf(), "f19d55ac1f2c8799"],
    ["killed", planOf({ faults: [faultOf("kill_device")] }), "589bd76171f2544a"],
    ["of the bag", randomPlan(7), "417de9d8c7326444"],
  ])("%s has the trace it always had", async (_, plan, traceHash) => {
    const record = await runPlan(plan);
    expect(record.traceHash).toBe(traceHash);
    expect(record.stateDigest).toBe(
      "sha256:93f2644cc25d8e5470e389ed5970cbc9372035f782b2c3e3889c069fee92abce",
    );
  });

  it("has another trace with another seed, and the same final state", async () => {
    const [one, other] = [await runPlan(planOf()), await runPlan(planOf({ seed: "other" }))];
    expect(one.traceHash).not.toBe(other.traceHash);
    expect(one.stateDigest).toBe(other.stateDigest);
  });

  it("ends when it is told to, with everything undone", async () => {
    const controller = new AbortController();
    const fault = faultOf("straggler", { at: { kind: "step", step: 2 }, forUs: null });
    const record = await createSimWorld().run(planOf({ faults: [fault] }), {
      signal: controller.signal,
      onEvent: (event) => {
        if (event.kind === "step" && event.step === 5) controller.abort();
      },
    });
    expect(["aborted", "finished"]).toContain(record.end);
    expect(record.residualFaults).toEqual([]);
  });

  it("is refused when the simulator cannot do it", async () => {
    const plan = planOf({
      faults: [faultOf("kill_pod", { targets: [{ kind: "pod", namespace: "a", name: "b" }] })],
    });
    expect(createSimWorld().refusals(plan)).toHaveLength(2);
    expect(createSimWorld().refusals(planOf())).toEqual([]);
    await expect(runPlan(plan)).rejects.toMatchObject({ code: "E_WORLD" });
  });
});
