import { describe, expect, test } from "vitest";
import {
  type Probes,
  type RunExperimentOptions,
  type RunPhase,
  runExperiment,
} from "../../../src/chaos/experiment/index.ts";
import type { Judgement } from "../../../src/chaos/judge/index.ts";
import { isTesseraError } from "../../../src/platform/errors/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { experimentOf, killRank, withFault } from "./experiments.ts";
import { type FakeWorldOptions, fakeWorld } from "./fake-world.ts";

const url = "http://127.0.0.1:9/";
const outside = { steadyState: [{ http: { url } }] };
const abortable = { limits: { abortWhen: [{ http: { url } }] } };
const disturbed = { fault: "network_latency", for: "1s" } as const;
/** Until somebody ends the run. */
const untilAborted: FakeWorldOptions["during"] = (_, { signal }) =>
  new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

type Given = Partial<Omit<RunExperimentOptions, "world">> & { readonly world?: FakeWorldOptions };

async function run(plan: ReturnType<typeof withFault>, given: Given = {}) {
  const { world: options, ...rest } = given;
  const world = fakeWorld(options);
  const done = await runExperiment({
    plan,
    clock: createRealClock(),
    signal: new AbortController().signal,
    watchEveryMs: 1,
    ...rest,
    world,
  });
  return { ...done, plans: world.plans };
}

/** Why the run was ended early. */
const abortOf = ({ findings }: Judgement) =>
  findings.find(({ property }) => property === "aborted")?.reason;

/** Answers in turn; the last one again and again. */
function probesOf(...answers: (boolean | null)[]): Probes & { readonly asked: () => number } {
  let asked = 0;
  return {
    asked: () => asked,
    ask: async () => {
      const holds = answers[Math.min(asked, answers.length - 1)] ?? null;
      asked += 1;
      return { holds, reason: `answer ${asked}` };
    },
  };
}

describe("an experiment is run", () => {
  test("beside the same plan and seed without faults and defects, first", async () => {
    const plan = withFault(disturbed, { defects: ["lostUndo"] });
    const { plans, baseline, record, judgement } = await run(plan);
    expect(plans).toEqual([{ ...plan, faults: [], defects: [] }, plan]);
    expect(baseline?.plan.faults).toEqual([]);
    expect(record.plan).toBe(plan);
    expect(judgement.outcome).toBe("pass");
  });

  test("from an experiment as from its plan", async () => {
    const experiment = experimentOf({ faults: [killRank(1, disturbed)] });
    const world = fakeWorld();
    const clock = createRealClock();
    const { signal } = new AbortController();
    const { plan } = await runExperiment({
      experiment,
      resolve: { seed: "7" },
      world,
      clock,
      signal,
    });
    expect(plan.seed).toBe("7");
    expect(world.plans).toHaveLength(2);
  });

  test("in the order hypothesis, baseline, method, hypothesis again, judgement", async () => {
    const phases: RunPhase[] = [];
    const probes = probesOf(true);
    await run(withFault(disturbed, outside), { probes, onPhase: (phase) => phases.push(phase) });
    expect(phases).toEqual(["before", "baseline", "method", "after", "judge"]);
  });

  test("without a baseline where none is wanted; what needs one is then not proven", async () => {
    const { plans, baseline, judgement } = await run(withFault(disturbed), { baseline: "none" });
    expect(plans).toHaveLength(1);
    expect(baseline).toBeNull();
    expect(judgement.outcome).toBe("inconclusive");
  });

  test("and fails when the faults left another state", async () => {
    const change: FakeWorldOptions["change"] = (record) => ({
      ...record,
      stateDigest: "sha256:bb",
    });
    const { judgement } = await run(withFault(disturbed), { world: { change } });
    expect(judgement.outcome).toBe("fail");
  });
});

describe("the steady state", () => {
  test("is asked before, meanwhile and after, and each answer is kept", async () => {
    const probes = probesOf(true);
    let goOn = () => {};
    const asked = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const watched: Probes = {
      ask: async (probe, signal) => {
        const answer = await probes.ask(probe, signal);
        if (probes.asked() > 3) goOn();
        return answer;
      },
    };
    const plan = withFault(disturbed, outside);
    const { record, judgement } = await run(plan, {
      probes: watched,
      world: { during: () => asked },
    });
    expect(record.probes.map(({ phase, holds }) => [phase, holds])).toEqual([
      ["before", true],
      ["during", true],
      ["after", true],
    ]);
    expect(judgement.outcome).toBe("pass");
  });

  test.each([false, null])(
    "that answers %s before breaks nothing and proves nothing",
    async (holds) => {
      const { plans, record, judgement } = await run(withFault(disturbed, outside), {
        probes: probesOf(holds),
      });
      expect(plans).toEqual([]);
      expect(record.end).toBe("aborted");
      expect(record.injections[0]?.injectedUs).toBeNull();
      expect(judgement.outcome).toBe("inconclusive");
      expect(abortOf(judgement)).toMatch(/steady state did not hold before, answer 1/);
    },
  );

  test("that does not come back fails", async () => {
    const { judgement } = await run(withFault(disturbed, outside), {
      probes: probesOf(true, false),
    });
    expect(judgement.outcome).toBe("fail");
  });

  test("may take a while to come back, within limits", async () => {
    const answers = [true, false, false, false, false, true];
    const plan = withFault(disturbed, outside);
    const { judgement } = await run(plan, { probes: probesOf(...answers), settleMs: 60_000 });
    expect(judgement.outcome).toBe("pass");
  });

  test("that nobody can ask about refuses the run", async () => {
    const refused = run(withFault(disturbed, outside)).catch((error: unknown) => error);
    const error = await refused;
    expect(isTesseraError(error) && error.code).toBe("E_WORLD");
  });
});

describe("a run ends early", () => {
  test("when an abort condition holds, with everything undone and nothing proven", async () => {
    const { record, judgement } = await run(withFault(disturbed, abortable), {
      probes: probesOf(false, false, true),
      world: { during: untilAborted },
    });
    expect(record.end).toBe("aborted");
    expect(judgement.outcome).toBe("inconclusive");
    expect(abortOf(judgement)).toMatch(/abort condition http holds: answer 3/);
  });

  test("when nobody can tell any more whether a condition holds", async () => {
    const { judgement } = await run(withFault(disturbed, abortable), {
      probes: probesOf(null, null, false, null, null, null),
      world: { during: untilAborted },
    });
    expect(abortOf(judgement)).toMatch(/gave no answer 3 times: answer 6/);
  });

  test("but not when a condition does not hold", async () => {
    const probes = probesOf(false);
    const { judgement } = await run(withFault(disturbed, abortable), { probes });
    expect(judgement.outcome).toBe("pass");
  });

  test("when somebody interrupts it: in the method", async () => {
    const interrupt = new AbortController();
    const { record, judgement } = await run(withFault(disturbed), {
      signal: interrupt.signal,
      world: {
        during: (plan, options) => {
          const end = untilAborted(plan, options);
          interrupt.abort(new Error("Ctrl-C"));
          return end;
        },
      },
    });
    expect(record.end).toBe("aborted");
    expect(record.injections[0]?.injectedUs).not.toBeNull();
    expect(judgement.outcome).toBe("inconclusive");
  });

  test("when somebody interrupts it: before anything is broken", async () => {
    const interrupt = new AbortController();
    const { plans, judgement } = await run(withFault(disturbed), {
      signal: interrupt.signal,
      onPhase: (phase) => {
        if (phase === "baseline") interrupt.abort(new Error("Ctrl-C"));
      },
    });
    expect(plans.filter(({ faults }) => faults.length > 0)).toEqual([]);
    expect(judgement).toMatchObject({ outcome: "inconclusive" });
    expect(abortOf(judgement)).toMatch(/Ctrl-C/);
  });
});

describe("a run is refused", () => {
  test("by a world that cannot do it, with all its reasons", async () => {
    const error = await run(withFault(), { world: { refusals: ["No pods.", "No disk."] } }).catch(
      (thrown: unknown) => thrown,
    );
    expect(isTesseraError(error) && error.message).toMatch(
      /sim cannot run this plan: No pods; No disk\.$/,
    );
  });

  test("and what a world throws comes out as it is", async () => {
    const during = () => Promise.reject(new Error("the world broke"));
    await expect(run(withFault(), { world: { during } })).rejects.toThrow("the world broke");
  });
});
