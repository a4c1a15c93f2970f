import { describe, expect, it } from "vitest";
import { analyzeRun } from "../../../src/chaos/judge/index.ts";
import type { InjectionRecord } from "../../../src/chaos/record/index.ts";
import { madeUpPlan, secondUs, trainingWorkload } from "./lib/made-up-plan.ts";
import { cleanRun, killed, killedRun, recordOf, Script } from "./lib/made-up-run.ts";

function recoveries(record = killedRun(), plan = madeUpPlan()) {
  return analyzeRun(plan, { ...record, plan }, cleanRun()).recoveries;
}

const seconds = (us: number | null) => (us === null ? null : us / secondUs);

function injected(changes: Partial<InjectionRecord>): InjectionRecord {
  return { ...killed, ...changes };
}

describe("the phases of a recovery", () => {
  it("end where the events say, from the effect to the usual rate", () => {
    const [recovery] = recoveries();
    expect(recovery).toMatchObject({
      faults: ["f1"],
      path: "checkpointRestart",
      effectUs: 13.5 * secondUs,
      stepsLost: 2,
      ranksRestarted: 4,
      ranksHit: 1,
    });
    const ends = Object.entries(recovery?.endsUs ?? {}).map(([phase, us]) => [phase, seconds(us)]);
    expect(ends.slice(0, 6)).toEqual([
      ["detect", 15],
      ["isolate", 16],
      ["reform", 18],
      ["load", 19],
      ["first", 20],
      ["regain", 21],
    ]);
    expect(recovery?.endsUs.steady).toBeGreaterThanOrEqual(21 * secondUs);
  });

  it("do not end where the job never got: they are censored, and kept", () => {
    const script = new Script().at(2).generation().steps(1, 10).at(15).detect([1]);
    const [recovery] = recoveries(recordOf(script, { injections: [killed], endUs: 90 * secondUs }));
    expect(recovery).toMatchObject({ path: null, endsUs: { detect: 15 * secondUs, first: null } });
  });

  it("are those of the attempt that worked when a second fault comes before the job is back", () => {
    const script = new Script()
      .at(2)
      .generation()
      .steps(1, 8)
      .save(8)
      .steps(9, 12)
      .at(15)
      .detect([1])
      .at(16)
      .add({ kind: "isolate", ranks: [1] })
      .at(17)
      .generation()
      .restore(8)
      .steps(9, 9)
      .at(20)
      .detect([2])
      .at(21)
      .add({ kind: "isolate", ranks: [2] })
      .at(22)
      .generation()
      .restore(8)
      .steps(9, 24)
      .finish();
    const second = injected({ id: "f2", ranks: [2], injectedUs: 18.2e6, effectUs: 18.5e6 });
    const found = recoveries(recordOf(script, { injections: [killed, second] }));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ faults: ["f1", "f2"], ranksHit: 2, stepsLost: 5 });
    expect(seconds(found[0]?.endsUs.detect ?? null)).toBe(15);
    expect(seconds(found[0]?.endsUs.isolate ?? null)).toBe(21);
    expect(seconds(found[0]?.endsUs.first ?? null)).toBe(23);
  });

  it("fall back when everybody has to stop again, even if the run ends before they meet", () => {
    const script = new Script().at(2).generation().steps(1, 10).at(15).detect([1]).at(18);
    script
      .generation()
      .at(19)
      .detect([2])
      .at(20)
      .add({ kind: "isolate", ranks: [2] });
    const [recovery] = recoveries(recordOf(script, { injections: [killed], endUs: 90e6 }));
    expect(recovery?.endsUs).toMatchObject({ isolate: 20e6, reform: null, load: null });
  });

  it("stay apart when the second alarm comes right after the job is back where it was", () => {
    const script = new Script().at(2).generation().steps(1, 10).at(15).detect([1]).at(18);
    script.generation().restore(8).steps(9, 10).detect([2]).at(25).generation().restore(8);
    const found = recoveries(recordOf(script.steps(9, 24).finish(), { injections: [killed] }));
    expect(found.map(({ faults }) => faults)).toEqual([["f1"], []]);
  });

  it("stay apart when the second fault comes after the job is back", () => {
    const script = new Script().at(2).generation().steps(1, 8).save(8).steps(9, 10);
    script.at(15).detect([1]).at(18).generation().restore(8).steps(9, 20);
    script.at(33).detect([2]).at(34).generation().restore(8).steps(9, 24).finish();
    const second = injected({ id: "f2", ranks: [2], injectedUs: 31e6, effectUs: 32e6 });
    const found = recoveries(recordOf(script, { injections: [killed, second] }));
    expect(found.map(({ faults }) => faults)).toEqual([["f1"], ["f2"]]);
  });

  it("belong to the fault that broke the job, not to an earlier one that nobody noticed", () => {
    const slow = injected({
      id: "f0",
      fault: "network_latency",
      injectedUs: 3e6,
      effectUs: 4e6,
      revertedUs: 6e6,
    });
    const found = recoveries(killedRun({ injections: [slow, killed] }));
    expect(found.map(({ faults, path }) => [faults, path])).toEqual([
      [["f0"], "none"],
      [["f1"], "checkpointRestart"],
    ]);
  });

  it("begin with the alarm when it is seen before any other effect", () => {
    const late = killedRun({ injections: [injected({ effectUs: 17 * secondUs })] });
    expect(recoveries(late)[0]?.effectUs).toBe(15 * secondUs);
  });

  it("end with the job when no step is left to do again", () => {
    const script = new Script().at(2).generation().steps(1, 24).save(24).at(30).detect([1]);
    script.at(32).generation().restore(24, 1).at(35).finish();
    const late = injected({ injectedUs: 28e6, effectUs: 29e6 });
    const [recovery] = recoveries(recordOf(script, { injections: [late] }));
    expect(recovery).toMatchObject({
      path: "checkpointRestart",
      endsUs: { first: 35e6, regain: 35e6 },
    });
  });

  it("are none of a fault without effect, and the alarm then has no cause", () => {
    const found = recoveries(killedRun({ injections: [injected({ effectUs: null })] }));
    expect(found).toMatchObject([{ faults: [], path: "checkpointRestart" }]);
  });

  it("need no alarm when a program begins again by itself", () => {
    const script = new Script().at(2).steps(1, 6).at(12).steps(3, 12).finish();
    const found = recoveries(
      recordOf(script, { injections: [injected({ injectedUs: 8e6, effectUs: 8e6 })] }),
    );
    expect(found).toMatchObject([
      {
        faults: ["f1"],
        path: "checkpointRestart",
        stepsLost: 4,
        endsUs: { first: 13e6, regain: 16e6 },
      },
    ]);
  });
});

describe("the way out of a fault", () => {
  function path(
    script: Script,
    onFailure: "shrink" | "spare" | "pauseForManual" | "drainThenResume",
  ) {
    const base = trainingWorkload();
    const plan = madeUpPlan({
      workload: { ...base, policy: { ...base.policy, onFailure } },
    });
    return recoveries(recordOf(script, { injections: [killed] }), plan)[0]?.path;
  }
  const broken = () =>
    new Script()
      .at(2)
      .generation()
      .steps(1, 10)
      .at(15)
      .detect([1])
      .add({ kind: "isolate", ranks: [1] });

  it("is to shrink when there are fewer replicas afterwards", () => {
    expect(path(broken().generation(3).restore(0).steps(1, 24).finish(), "shrink")).toBe("shrink");
    expect(path(broken().generation(4).restore(0).steps(1, 24).finish(), "shrink")).toBe(
      "checkpointRestart",
    );
  });

  it("is a spare when the policy takes one for what was lost", () => {
    expect(path(broken().generation().restore(0).steps(1, 24).finish(), "spare")).toBe("spare");
  });

  it("is manual when the job waited for a person", () => {
    const script = broken()
      .add({ kind: "pause", reason: "" })
      .at(20)
      .add({ kind: "resume", reason: "" });
    expect(path(script.generation().restore(0).steps(1, 24).finish(), "pauseForManual")).toBe(
      "manual",
    );
  });

  it("is a clean failure when the job gave up", () => {
    expect(path(broken().giveUp("no more"), "drainThenResume")).toBe("cleanFailure");
  });

  it("is none when nobody had to do anything", () => {
    expect(path(new Script().at(2).generation().steps(1, 24).finish(), "drainThenResume")).toBe(
      "none",
    );
  });
});
