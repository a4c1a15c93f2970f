import { describe, expect, it } from "vitest";
import type { PlannedFault, RecoveryPolicy, Trigger } from "../../../../src/chaos/plan/index.ts";
import type { RunRecord } from "../../../../src/chaos/record/index.ts";
import { faultOf, lineage, ofKind, planOf, policy, runPlan, workload } from "./support/plans.ts";

const clean = runPlan(planOf());
const marks = (record: RunRecord) => ofKind(record, "sometimes").map(({ mark }) => mark);
const withPolicy = (changes: Partial<RecoveryPolicy>) => ({
  workload: { policy: { ...policy, ...changes } },
});
const kill = (at: Trigger, o: { forUs?: number | null; rank?: number; id?: string } = {}) =>
  faultOf("kill_device", {
    at,
    targets: [{ kind: "rank", rank: o.rank ?? 1 }],
    ...(o.forUs === undefined ? {} : { forUs: o.forUs }),
    ...(o.id === undefined ? {} : { id: o.id }),
  });
const atStep = (step: number): Trigger => ({ kind: "step", step });

async function expectSame(record: RunRecord): Promise<void> {
  expect(record.end).toBe("finished");
  expect(record.stateDigest).toBe((await clean).stateDigest);
  expect(lineage(record)).toEqual(lineage(await clean));
}

describe("recovery of a simulated training job", () => {
  it("goes back to the last checkpoint and ends with the same bits", async () => {
    const record = await runPlan(planOf({ faults: [kill(atStep(12))] }));
    await expectSame(record);
    expect(ofKind(record, "restore").at(-1)).toMatchObject({
      phase: "done",
      step: 8,
      falseAccept: false,
      sameAsSaved: true,
    });
  });

  it("goes on with fewer replicas and the same bits; in its place without one", async () => {
    const faults = [kill(atStep(12), { forUs: null })];
    const shrunk = await runPlan(planOf({ faults, ...withPolicy({ onFailure: "shrink" }) }));
    await expectSame(shrunk);
    expect(ofKind(shrunk, "generation").map(({ dp }) => dp)).toEqual([4, 3]);
    expect(marks(shrunk)).toContain("went on with fewer replicas");
    const waits = await runPlan(planOf({ faults }));
    expect(waits.end).toBe("gave-up");
    expect(waits.stateDigest).toBeNull();
  });

  it("loses no replica to a lost exchange, whoever gives up waiting first", async () => {
    // The last stage sums first and waits for the first one, whose sum is lost.
    const lost = faultOf("collective_timeout", {
      at: { kind: "collective", axis: "dp", nth: 3 },
      targets: [{ kind: "rank", rank: 0 }],
    });
    const shape = { dp: 2, tp: 1, pp: 2 };
    const shrinking = { ...policy, onFailure: "shrink" } as const;
    const record = await runPlan(
      planOf({ faults: [lost], workload: { shape, policy: shrinking } }),
    );
    await expectSame(record);
    expect(ofKind(record, "generation").map(({ dp }) => dp)).toEqual([2, 2]);
    const [{ injectedUs, effectUs, effect } = { injectedUs: null }] = record.injections;
    expect(effect).toBe("what rank 0 sent in an exchange did not arrive");
    // The effect is the loss; that somebody gives up waiting is its detection.
    const [detected] = ofKind(record, "detect");
    expect(effectUs).toBe(injectedUs);
    expect((detected?.atUs ?? 0) - (effectUs ?? 0)).toBeGreaterThan(
      planOf().timeouts.collectiveUs / 2,
    );
  });

  it("uses a spare where there is one, and gives up where there is none", async () => {
    const faults = [kill(atStep(12), { forUs: null })];
    const spare = withPolicy({ onFailure: "spare" });
    const used = await runPlan(planOf({ faults, ...spare, fleet: { spareNodes: 1 } }));
    await expectSame(used);
    expect(marks(used)).toContain("a spare took a place");
    const none = await runPlan(planOf({ faults, ...spare }));
    expect(none.end).toBe("gave-up");
    expect(ofKind(none, "give-up")[0]?.reason).toMatch(/no spare is left/);
  });

  it("waits for a person who says go on, and for one who never does", async () => {
    const faults = [kill(atStep(12))];
    const pause = (resumeAfterUs: number | null) =>
      planOf({
        faults,
        ...withPolicy({ onFailure: "pauseForManual", resumeAfterUs }),
        durationUs: 120_000_000,
      });
    const resumed = await runPlan(pause(10_000_000));
    await expectSame(resumed);
    expect(marks(resumed)).toContain("paused and resumed");
    const waiting = await runPlan(pause(null));
    expect(waiting.end).toBe("cut");
    expect(waiting.endUs).toBe(120_000_000);
    expect(ofKind(waiting, "stuck")).toEqual([]);
  });

  it("fails fast when told to, and after its last restart", async () => {
    const faults = [kill(atStep(12))];
    const fast = await runPlan(planOf({ faults, ...withPolicy({ onFailure: "failFast" }) }));
    expect(fast.end).toBe("gave-up");
    const none = await runPlan(planOf({ faults, ...withPolicy({ restartsMax: 0 }) }));
    expect(none.end).toBe("gave-up");
    await expectSame(await runPlan(planOf({ faults, ...withPolicy({ restartsMax: 1 }) })));
  });

  it.each([
    ["while it writes", { kind: "checkpoint", nth: 2, phase: "write" }, 1, 8],
    ["before the commit", { kind: "checkpoint", nth: 2, phase: "commit" }, 0, 8],
    [
      "before the commit, by a rank that has written",
      { kind: "checkpoint", nth: 2, phase: "commit" },
      3,
      8,
    ],
  ] as const)("survives a death %s", async (_, at, rank, step) => {
    for (const asynchronous of [false, true]) {
      const checkpoint = { ...workload.checkpoint, asynchronous };
      const faults = [kill(at, { rank })];
      const record = await runPlan(planOf({ faults, workload: { checkpoint } }));
      await expectSame(record);
      const done = ofKind(record, "restore").find(({ phase }) => phase === "done");
      // Whoever dies after the last shard may be too late to stop the commit.
      expect([step, 16]).toContain(done?.step);
      expect(done).toMatchObject({ sameAsSaved: true, falseAccept: false });
      expect(marks(record)).toContain("recovered while a checkpoint was in flight");
    }
  });

  it("survives a death while it restores", async () => {
    const again = kill({ kind: "restore", nth: 1 }, { rank: 2, id: "again" });
    const record = await runPlan(planOf({ faults: [kill(atStep(12)), again] }));
    await expectSame(record);
    expect(marks(record)).toContain("a further fault hit a recovery");
    expect(ofKind(record, "restore").map(({ phase }) => phase)).toContain("failed");
  });

  it("passes over checkpoints that are not whole, one after the other, down to the beginning", async () => {
    const torn = (nth: number): PlannedFault =>
      faultOf("torn_write", {
        id: `torn ${nth}`,
        targets: [{ kind: "storage" }],
        at: { kind: "checkpoint", nth, phase: "write" },
        params: { shard: 2 },
        forUs: 300_000,
      });
    const twice = await runPlan(planOf({ faults: [torn(1), torn(2), kill(atStep(18))] }));
    await expectSame(twice);
    expect(ofKind(twice, "restore").map(({ phase, step }) => [phase, step])).toEqual([
      ["begun", 16],
      ["refused", 16],
      ["begun", 8],
      ["refused", 8],
      ["begun", 0],
      ["done", 0],
    ]);
    expect(marks(twice)).toEqual(
      expect.arrayContaining(["restore fell back twice", "went on from the beginning"]),
    );
    const once = await runPlan(planOf({ faults: [torn(2), kill(atStep(18))] }));
    await expectSame(once);
    expect(ofKind(once, "restore").at(-1)).toMatchObject({ phase: "done", step: 8 });
  });

  it("saves before it is preempted, unless it is told not to", async () => {
    const faults = [faultOf("preempt", { forUs: 20_000_000, params: { graceUs: 10_000_000 } })];
    const saved = await runPlan(planOf({ faults }));
    await expectSame(saved);
    expect(marks(saved)).toContain("preempted with a save");
    expect(ofKind(saved, "restore").at(-1)?.step).toBe(12);
    const onPreempt = { action: "partialFlushThenExit", graceUs: 10_000_000 } as const;
    const flushed = await runPlan(planOf({ faults, ...withPolicy({ onPreempt }) }));
    await expectSame(flushed);
    expect(marks(flushed)).not.toContain("preempted with a save");
    expect(ofKind(flushed, "restore").at(-1)?.step).toBe(8);
  });

  it("goes on without a save that found no room, and loses more when it falls", async () => {
    const full = faultOf("full_storage", {
      targets: [{ kind: "storage" }],
      at: { kind: "checkpoint", nth: 2, phase: "write" },
      forUs: 1_000_000,
    });
    const record = await runPlan(planOf({ faults: [full, kill(atStep(20))] }));
    await expectSame(record);
    expect(ofKind(record, "save").filter(({ phase }) => phase === "failed")).toHaveLength(1);
    expect(ofKind(record, "restore").at(-1)).toMatchObject({ phase: "done", step: 8 });
  });

  it("is busy without getting on while memory is held for long, and says so", async () => {
    const faults = [faultOf("out_of_memory", { forUs: 60_000_000 })];
    const record = await runPlan(planOf({ faults }));
    expect(record.end).toBe("gave-up");
    expect(ofKind(record, "stuck").map(({ form }) => form)).toContain("livelock");
  });

  it("has the same bits on every mesh", async () => {
    const shapes = [
      { dp: 1, tp: 1, pp: 1 },
      { dp: 2, tp: 2, pp: 1 },
      { dp: 2, tp: 1, pp: 2 },
      { dp: 3, tp: 2, pp: 2 },
    ];
    for (const shape of shapes) {
      const nodes = Math.ceil((shape.dp * shape.tp * shape.pp) / 2);
      const plan = planOf({
        workload: { shape },
        fleet: { nodes },
        faults: [kill(atStep(9), { rank: 0 })],
      });
      await expectSame(await runPlan(plan));
    }
  });

  it("counts in timing mode, says so, and proves nothing about values", async () => {
    const record = await runPlan(
      planOf({ workload: { numerics: "timing" }, faults: [kill(atStep(12))] }),
    );
    expect(record.stateDigest).toBe("timing:24");
    expect(record.notes.join(" ")).toMatch(/proves nothing about values/);
    expect(lineage(record)).toEqual(lineage(await clean));
  });
});
