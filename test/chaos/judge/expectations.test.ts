import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../../src/chaos/record/index.ts";
import { cut, findingOf, gaveUp, judged } from "./lib/judged.ts";
import { killRank1, madeUpPlan, secondUs } from "./lib/made-up-plan.ts";
import { cleanRun, killed, killedRun, killedScript, recordOf, Script } from "./lib/made-up-run.ts";

describe("expectations", () => {
  it("hold each recovery to its way", () => {
    expect(judged(killedRun(), { recovery: "checkpointRestart" }).outcome).toBe("pass");
    const judgement = judged(killedRun(), { recovery: "shrink" });
    expect(judgement.reason).toBe(
      "The job came out of kill_device on rank 1 by checkpointRestart instead of shrink.",
    );
  });

  it("hold each phase to its limit, counted from the effect", () => {
    expect(judged(killedRun(), { within: { detect: 1.5e6, first: 6.5e6 } }).outcome).toBe("pass");
    const judgement = judged(killedRun(), { within: { first: 6.4e6 } });
    expect(judgement.reason).toBe(
      "After kill_device on rank 1, first took 6.5 s from the effect; the limit is 6.4 s.",
    );
  });

  it("leave a phase undecided that the job ended before, while its limit had not passed", () => {
    const script = killedScript().finish();
    const short = recordOf(script, {
      injections: [{ ...killed, injectedUs: 35e6, effectUs: 35.5e6 }],
    });
    const steady = judged(short, { within: { steady: 60e6 } });
    expect(findingOf(steady, "time-limit")?.outcome).toBe("inconclusive");
    const tight = judged(short, { within: { steady: 1e6 } });
    expect(findingOf(tight, "time-limit")?.outcome).toBe("fail");
  });

  it("ask nobody to detect what needs no recovery", () => {
    const slow = { ...killed, fault: "network_latency", effectUs: 5e6, injectedUs: 4e6 };
    const record = { ...cleanRun(), plan: madeUpPlan(), injections: [slow] };
    const judgement = judged(record, { recovery: "none", within: { first: 2e6 } });
    expect(judgement.outcome).toBe("pass");
    expect(judgement.reason).toContain("The job rode out network_latency on rank 1");
  });

  it("hold metrics to their gates, and no gate is passed by what could not be measured", () => {
    const gate = (metric: string, operator: "<=" | ">=", bound: number) => ({
      gates: [{ metric, operator, bound }],
    });
    expect(judged(killedRun(), gate("recoverySeconds", "<=", 6.5)).outcome).toBe("pass");
    expect(judged(killedRun(), gate("recoverySeconds", ">=", 6.5)).outcome).toBe("pass");
    const broken = judged(killedRun(), gate("recoverySeconds", "<=", 6));
    expect(broken.reason).toBe("The metric recoverySeconds is 6.5; at most 6 is wanted.");
    expect(judged(killedRun(), gate("memoryFragmentation", "<=", 1)).outcome).toBe("inconclusive");
    expect(judged(killedRun(), gate("noSuchThing", "<=", 1)).outcome).toBe("inconclusive");
    const never = judged(gaveUp(), { claim: "outside", ...gate("recoverySeconds", "<=", 99) });
    expect(findingOf(never, "gate")?.outcome).toBe("fail");
  });
});

describe("the steady state", () => {
  const probe = { kind: "progress" as const, withinUs: 2 * secondUs };
  const http = { kind: "http" as const, url: "http://localhost", status: 200, timeoutUs: secondUs };
  const answer = (phase: "before" | "during" | "after", holds: boolean | null) => ({
    probe: 0,
    phase,
    atUs: 0,
    holds,
    reason: "status 503",
  });
  const run = (probes: RunRecord["probes"]) =>
    judged(killedRun({ plan: madeUpPlan({ steadyState: [http] }), probes }));

  it("must hold again afterwards; while faults are in force it may not", () => {
    expect(
      run([answer("before", true), answer("during", false), answer("after", true)]).outcome,
    ).toBe("pass");
    expect(run([answer("before", true), answer("after", false)]).reason).toBe(
      "Steady state 1 (http) does not hold after the faults: status 503.",
    );
  });

  it("proves nothing when it did not hold before, or nobody answered", () => {
    expect(run([answer("before", false), answer("after", false)]).outcome).toBe("inconclusive");
    expect(run([answer("before", true), answer("after", null)]).outcome).toBe("inconclusive");
    expect(run([]).outcome).toBe("inconclusive");
  });

  it("is read from the events where nobody asked: progress and throughput", () => {
    const own = (steadyState: RunRecord["plan"]["steadyState"]) =>
      judged(killedRun({ plan: madeUpPlan({ steadyState }) })).outcome;
    expect(own([probe])).toBe("pass");
    expect(own([{ ...probe, withinUs: secondUs / 2 }])).toBe("fail");
    expect(own([{ kind: "throughput", atLeastShare: 0.8, windowUs: 10 * secondUs }])).toBe("pass");
    expect(own([{ kind: "throughput", atLeastShare: 1.5, windowUs: 10 * secondUs }])).toBe("fail");
  });
});

describe("ranks that are stuck", () => {
  const stuck = (form: "deadlock" | "livelock" | "hang") => ({
    kind: "stuck" as const,
    form,
    cause: "missing rank",
    ranks: [0, 2],
    reason: "ranks 0 and 2 wait for rank 1",
  });

  it("fail the run when nobody in the job ever noticed", () => {
    const script = new Script().at(2).generation().steps(1, 10).at(14).add(stuck("deadlock"));
    const judgement = judged(recordOf(script, { injections: [killed], endUs: 600e6 }));
    expect(findingOf(judgement, "no-deadlock")).toMatchObject({ outcome: "fail" });
    expect(judgement.metrics.deadlocks).toBe(1);
  });

  it("are counted and no failure when the job got out by itself", () => {
    const run = killedRun();
    const events = [...run.events, { atUs: 14e6, ...stuck("deadlock") }].toSorted(
      (a, b) => a.atUs - b.atUs,
    );
    const judgement = judged({ ...run, events });
    expect(judgement.outcome).toBe("pass");
    expect(judgement.metrics.deadlocks).toBe(1);
    expect(judgement.metrics.more["stuckPerFault"]).toBe(1);
  });

  it("are a hang when a run is cut after a long silence that nobody explains", () => {
    expect(judged(cut()).metrics.more["hangs"]).toBe(1);
    expect(judged(cut({ endUs: 14 * secondUs })).metrics.more["hangs"]).toBe(0);
  });

  it("are a hang too when the job comes on by itself after a silence, unless it was saving or starting", () => {
    const hangs = (script: Script) => judged(recordOf(script.finish())).metrics.more["hangs"];
    const begun = () => new Script().at(2).generation().steps(1, 12);
    expect(hangs(begun().steps(13, 13, { everyS: 31 }).steps(14, 24))).toBe(1);
    expect(hangs(begun().steps(13, 13, { everyS: 30 }).steps(14, 24))).toBe(0);
    expect(hangs(begun().save(12, 31).steps(13, 24))).toBe(0);
    expect(hangs(new Script().at(40).generation().steps(1, 24))).toBe(0);
    const seen = begun().at(20).add(stuck("deadlock")).steps(13, 13, { everyS: 31 });
    expect(judged(recordOf(seen)).metrics).toMatchObject({ deadlocks: 1, more: { hangs: 0 } });
  });

  it("are a livelock when generation follows generation without a new step", () => {
    const script = new Script().at(2).generation().steps(1, 3);
    for (let round = 0; round < 4; round++)
      script
        .at(10 + round)
        .detect([1])
        .generation()
        .restore(0);
    const judgement = judged(recordOf(script, { injections: [killed], endUs: 20e6 }));
    expect(findingOf(judgement, "no-livelock")?.outcome).toBe("fail");
    expect(judgement.metrics.livelocks).toBe(1);
    expect(judged().metrics.livelocks).toBe(0);
  });
});

describe("the blast radius", () => {
  const two = (revertedUs: number | null) => {
    const faults = [killRank1, { ...killRank1, id: "f2" }, { ...killRank1, id: "f3" }];
    return killedRun({
      plan: madeUpPlan({ faults }),
      injections: faults.map(({ id }, index) => ({
        ...killed,
        id,
        ranks: [index],
        injectedUs: (13 + index / 10) * secondUs,
        revertedUs,
      })),
    });
  };

  it("fails when more ranks are hit at once than allowed, not when one after the other", () => {
    expect(judged(two(null)).reason).toContain("3 ranks were hit at once; 2 are allowed");
    expect(judged(two(13.05 * secondUs)).outcome).toBe("pass");
  });
});
