import { describe, expect, it } from "vitest";
import { judge } from "../../../src/chaos/judge/index.ts";
import type { RunRecord } from "../../../src/chaos/record/index.ts";
import { cut, findingOf, gaveUp, judged } from "./lib/judged.ts";
import { madeUpPlan, trainingWorkload } from "./lib/made-up-plan.ts";
import { cleanRun, killed, killedRun, killedScript, recordOf, Script } from "./lib/made-up-run.ts";

describe("inside the claim", () => {
  it("passes what recovers to the same state, and says so in one sentence with names and times", () => {
    const judgement = judged();
    expect(judgement).toMatchObject({ outcome: "pass", signature: null });
    expect(judgement.reason).toBe(
      "Recovered from kill_device on rank 1 by checkpointRestart in 6.5 s (noticed after 1.5 s, 2 steps done again); " +
        "the final state is that of the run without faults, bit for bit.",
    );
    expect(judgement.findings.every(({ outcome }) => outcome === "pass")).toBe(true);
  });

  it("fails a job that gave up, with its own words", () => {
    const judgement = judged(gaveUp());
    expect(judgement.outcome).toBe("fail");
    expect(judgement.reason).toContain("The job gave up, 3 s after kill_device on rank 1");
    expect(judgement.reason).toContain("no spare is left");
  });

  it("fails a job that had not finished when the run ended", () => {
    const judgement = judged(cut());
    expect(judgement.outcome).toBe("fail");
    expect(findingOf(judgement, "recovered")?.reason).toContain("it is at step 10");
  });

  it("fails when the final state differs, and names the first step with another loss", () => {
    const script = killedScript().finish("sha256:bbbb");
    const other = recordOf(script, { injections: [killed] });
    const events = other.events.map((event) =>
      event.kind === "step" && event.step >= 20 ? { ...event, loss: 7 } : event,
    );
    const judgement = judged({ ...other, events });
    expect(judgement.outcome).toBe("fail");
    expect(judgement.reason).toContain("first step with another loss is 20");
    expect(findingOf(judgement, "samples-once")?.outcome).toBe("pass");
  });

  it("does not ask for equal states where only samples count", () => {
    const other = recordOf(killedScript().finish("sha256:bbbb"), { injections: [killed] });
    expect(judged(other, { integrity: "samples" }).outcome).toBe("pass");
  });
});

describe("samples", () => {
  const moved = (by: number) =>
    recordOf(
      new Script()
        .at(2)
        .generation()
        .steps(1, 8)
        .save(8, 1)
        .steps(9, 10)
        .at(15)
        .detect([1])
        .at(18)
        .generation()
        .restore(8, 1)
        .skipSamples(8, by)
        .steps(9, 24)
        .finish(),
      { injections: [killed] },
    );

  it("fail the run when one was lost, or used twice", () => {
    const lost = judged(moved(1), { integrity: "samples" });
    expect(lost.reason).toBe("1 sample lost before step 9: it begins at sample 65 instead of 64.");
    const twice = judged(moved(-1), { integrity: "samples" });
    expect(twice.reason).toContain("1 sample used twice in step 9");
  });

  it("are no matter where nobody asks, and undecided where nobody knows", () => {
    expect(judged(moved(1), { integrity: "none" }).outcome).toBe("pass");
    const blind = killedRun();
    const events = blind.events.map((event) => {
      if (event.kind !== "step") return event;
      const { samples: _, ...rest } = event;
      return rest;
    });
    const judgement = judged({ ...blind, events }, { integrity: "samples" });
    expect(judgement.outcome).toBe("inconclusive");
  });

  it("are requests where replicas answer: each once, none lost", () => {
    const workload = {
      kind: "inference" as const,
      replicas: 2,
      requests: 3,
      ratePerS: 1,
      serviceUs: 1,
      requestTimeoutUs: 1,
      attemptsMax: 2,
      startUs: 0,
      seed: "1",
    };
    const answers = (...ids: number[]) => {
      const script = new Script().at(1);
      for (const id of ids) script.add({ kind: "request", id, ok: true, latencyUs: 10 });
      return recordOf(script.finish(), { plan: madeUpPlan({ workload, faults: [] }) });
    };
    const run = (record: RunRecord) =>
      findingOf(judged(record, { integrity: "samples" }), "samples-once");
    expect(run(answers(0, 1, 2))?.outcome).toBe("pass");
    expect(run(answers(0, 1))?.reason).toContain("1 request of 3 never answered");
    expect(run(answers(0, 1, 1, 2))?.reason).toContain("1 request answered more than once");
  });
});

describe("outside the claim", () => {
  const outside = { claim: "outside" as const };

  it("passes a job that gives up and says why", () => {
    const judgement = judged(gaveUp(), outside);
    expect(judgement.outcome).toBe("pass");
    expect(judgement.reason).toContain("gave up as it should");
  });

  it("fails a job that neither goes on nor gives up, or gives up without a word", () => {
    expect(judged(cut(), outside).reason).toContain("neither went on nor gave up");
    expect(judged(gaveUp(" "), outside).reason).toContain("without saying why");
  });

  it("fails when wrong values were committed before it gave up, and not when they were refused", () => {
    const wrong = (refuse: boolean) => {
      const script = new Script()
        .at(2)
        .generation()
        .steps(1, 8, { lossOf: () => 9 })
        .save(8, 1);
      script.at(15).detect([1]).at(16).generation();
      if (refuse) {
        script.add({
          kind: "restore",
          phase: "refused",
          tag: "step-000008",
          step: 8,
          reason: "torn",
        });
      }
      return recordOf(script.giveUp("no more recoveries"), { injections: [killed] });
    };
    const judgement = judged(wrong(false), outside);
    expect(judgement.outcome).toBe("fail");
    expect(judgement.reason).toContain("step-000008");
    expect(judged(wrong(true), outside).outcome).toBe("pass");
  });

  it("passes with a remark what survives more than it claims, and fails it when the result is wrong", () => {
    const judgement = judged(killedRun(), outside);
    expect(judgement.outcome).toBe("pass");
    expect(judgement.reason).toContain("survived more than it claims");
    const other = recordOf(killedScript().finish("sha256:bbbb"), { injections: [killed] });
    expect(judged(other, { ...outside, integrity: "none" }).outcome).toBe("fail");
  });

  it("fails a recovery where the experiment itself says that there must be none", () => {
    const judgement = judged(killedRun(), { ...outside, recovery: "cleanFailure" });
    expect(judgement.outcome).toBe("fail");
    expect(judgement.reason).toContain("checkpointRestart instead of cleanFailure");
  });
});

describe("what is never a pass", () => {
  it("is a fault that stayed in force, whatever else went well", () => {
    const judgement = judged(killedRun({ residualFaults: ["qdisc on veth3"] }));
    expect(judgement).toMatchObject({ outcome: "fail" });
    expect(judgement.reason).toContain("qdisc on veth3");
    expect(judgement.signature).toMatch(/^residual-faults \|/);
  });

  it("is a broken checkpoint that was taken", () => {
    const run = killedRun();
    const events = run.events.map((event) =>
      event.kind === "restore" && event.phase === "done" ? { ...event, falseAccept: true } : event,
    );
    expect(judged({ ...run, events }).signature).toMatch(/^false-accept \|/);
  });

  it("is a fault that never came or did nothing", () => {
    const clean = cleanRun();
    const never = judged({
      ...clean,
      plan: madeUpPlan(),
      injections: [{ ...killed, injectedUs: null, effectUs: null }],
    });
    expect(never).toMatchObject({ outcome: "inconclusive" });
    expect(never.reason).toBe("The moment to inject kill_device on rank 1 never came.");
    const idle = judged({
      ...clean,
      plan: madeUpPlan(),
      injections: [{ ...killed, effectUs: null }],
    });
    expect(idle.reason).toBe("Nobody saw an effect of kill_device on rank 1.");
    const missing = judged({ ...clean, plan: madeUpPlan(), injections: [] });
    expect(missing.outcome).toBe("inconclusive");
  });

  it("is a comparison without anything to compare with", () => {
    expect(judged(killedRun(), {}, null).outcome).toBe("inconclusive");
    const broken = { ...cleanRun(), stateDigest: null, end: "cut" as const };
    expect(judged(killedRun(), {}, broken).outcome).toBe("inconclusive");
    const plan = madeUpPlan({ workload: trainingWorkload({ numerics: "timing" }) });
    const timing = judged(killedRun({ plan }));
    expect(timing.reason).toContain("computed no values");
  });

  it("is a run that was aborted; but what it broke by then still fails", () => {
    const half = cut({ end: "aborted", notes: ["error rate above 5 %"] });
    expect(judged(half)).toMatchObject({
      outcome: "inconclusive",
      reason: "The run was aborted: error rate above 5 %.",
    });
    expect(judged({ ...half, residualFaults: ["a frozen process"] }).outcome).toBe("fail");
    const early = { ...half, injections: [{ ...killed, injectedUs: null, effectUs: null }] };
    expect(judged(early).reason).toBe("The run was aborted: error rate above 5 %.");
  });

  it("passes a run without faults that just finishes", () => {
    const judgement = judge({ ...madeUpPlan(), faults: [] }, cleanRun(), cleanRun());
    expect(judgement).toMatchObject({
      outcome: "pass",
      reason: "The job finished without faults in 29 s.",
    });
  });
});
