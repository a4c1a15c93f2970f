import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Attempt, minimise } from "../../../src/chaos/minimise/index.ts";
import type { ChaosPlan, PlannedFault, TrainingWorkload } from "../../../src/chaos/plan/index.ts";
import { restart, smallPlan } from "../journal/lib/small-plan.ts";
import { failsWhen, idsOf, manyFaults, needs } from "./lib/many-faults.ts";

function training({ workload }: ChaosPlan): TrainingWorkload {
  if (workload.kind !== "training") throw new TypeError("the plan trains");
  return workload;
}

const latency: PlannedFault = {
  id: "slow",
  fault: "network_latency",
  params: { latencyUs: 40_000, jitterUs: 7000 },
  targets: [{ kind: "cut", sides: [[0, 1], [2]], asymmetric: false }],
  trigger: { kind: "time", atUs: 1_234_567 },
  durationUs: 3_210_987,
};

describe("minimising", () => {
  it("is the same every time, however many runs are made at once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat({ max: 49 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 2, max: 5 }),
        fc.integer({ min: 3, max: 60 }),
        async (needed, parallel, runsMax) => {
          const holds = needs(...needed.map((at) => `f${at}`));
          const one = await minimise(manyFaults(50), failsWhen(holds).fails, { runsMax });
          const same = await minimise(manyFaults(50), failsWhen(holds).fails, {
            runsMax,
            parallel,
          });
          expect(same).toEqual(one);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("never makes more runs than it may, and says when they were too few", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 3, max: 40 }), async (runsMax) => {
        const { fails, runs } = failsWhen(needs("f3", "f77", "f140"));
        const result = await minimise(manyFaults(200), fails, { runsMax });
        expect(runs()).toBeLessThanOrEqual(runsMax);
        expect(result.runs).toBe(runs());
        expect(needs("f3", "f77", "f140")(result.plan)).toBe(true);
        if (runsMax < 20) expect(result.isMinimal).toBe(false);
      }),
      { numRuns: 25 },
    );
  });

  it("does not take another failure for the same", async () => {
    const holds = (plan: ChaosPlan): boolean | string =>
      needs("f2", "f9")(plan) ? true : plan.faults.length > 3 ? "something else" : false;
    const result = await minimise(manyFaults(30), failsWhen(holds).fails);
    expect(idsOf(result.plan)).toEqual(["f2", "f9"]);
    expect(result.signature).toBe("broken");
  });

  it("has nothing to do with a plan that passes", async () => {
    const { fails, runs } = failsWhen(() => false);
    const result = await minimise(manyFaults(5), fails);
    expect(result).toMatchObject({ outcome: "passes", signature: null });
    expect(runs()).toBe(1);
  });

  it("notices a failure that comes and goes, at the beginning", async () => {
    let calls = 0;
    const result = await minimise(manyFaults(5), async () => (++calls === 1 ? "broken" : null));
    expect(result).toMatchObject({ outcome: "flaky", runs: 2 });
  });

  it("notices a failure that comes and goes, at the end", async () => {
    const asked = new Set<string>();
    const fails = async (plan: ChaosPlan): Promise<string | null> => {
      const key = JSON.stringify(plan);
      const isSecond = asked.has(key) && plan.faults.length < 8;
      asked.add(key);
      return !isSecond && needs("f1")(plan) ? "broken" : null;
    };
    const result = await minimise(manyFaults(8), fails);
    expect(result).toMatchObject({ outcome: "flaky", isMinimal: false });
  });

  it("tries nothing that is not admitted", async () => {
    const tried: ChaosPlan[] = [];
    const admits = ({ faults }: ChaosPlan): boolean => faults.some(({ id }) => id === "f0");
    const fails = async (plan: ChaosPlan): Promise<string | null> => {
      tried.push(plan);
      return needs("f5")(plan) ? "broken" : null;
    };
    const result = await minimise(manyFaults(12), fails, { admits });
    expect(tried.every(admits)).toBe(true);
    expect(idsOf(result.plan)).toEqual(["f0", "f5"]);
  });

  it("tells of each attempt as it is made", async () => {
    const told: Attempt[] = [];
    const { fails } = failsWhen(needs("f1"));
    const result = await minimise(manyFaults(8), fails, { onAttempt: (one) => told.push(one) });
    expect(told).toEqual(result.history);
    expect(told.map(({ run }) => run)).toEqual(told.map((_, at) => at + 1));
    expect(told.at(-1)).toMatchObject({ phase: "check", accepted: true });
  });

  it("ends when it is told to", async () => {
    const stop = new AbortController();
    const fails = async (): Promise<string | null> => {
      stop.abort(new Error("enough"));
      return "broken";
    };
    await expect(minimise(manyFaults(8), fails, { signal: stop.signal })).rejects.toThrow("enough");
  });

  it("passes on what a run throws", async () => {
    let calls = 0;
    const fails = async (): Promise<string | null> => {
      if (++calls > 4) throw new Error("no room");
      return "broken";
    };
    await expect(minimise(manyFaults(20), fails, { parallel: 3 })).rejects.toThrow("no room");
  });
});

describe("making faults milder", () => {
  it("shortens, weakens and narrows as far as the failure allows", async () => {
    const holds = ({ faults: [fault] }: ChaosPlan): boolean =>
      fault !== undefined &&
      (fault.durationUs ?? 0) >= 400_000 &&
      (fault.params["latencyUs"] as number) >= 10_000;
    const admits = (plan: ChaosPlan): boolean => training(plan).shape.dp === 4;
    const result = await minimise(smallPlan([latency]), failsWhen(holds).fails, { admits });
    const [fault] = result.plan.faults;
    expect(fault?.durationUs).toBeGreaterThanOrEqual(400_000);
    expect(fault?.durationUs).toBeLessThan(900_000);
    expect(fault?.params["latencyUs"]).toBeLessThan(21_000);
    expect(fault?.params["jitterUs"]).toBeLessThan(500);
    expect(fault?.targets).toEqual([{ kind: "cut", sides: [[0], [2]], asymmetric: false }]);
  });

  it("leaves alone what the failure needs as it is", async () => {
    const whole = JSON.stringify({ ...latency, trigger: null });
    const holds = ({ faults: [fault] }: ChaosPlan): boolean =>
      JSON.stringify({ ...fault, trigger: null }) === whole;
    const result = await minimise(smallPlan([latency]), failsWhen(holds).fails);
    expect(result.plan.faults[0]).toMatchObject({ durationUs: latency.durationUs });
  });

  it("hits one of several targets where one is enough", async () => {
    const fault: PlannedFault = {
      ...restart(5, 0, "three"),
      targets: [0, 1, 3].map((rank) => ({ kind: "rank", rank })),
    };
    const holds = ({ faults }: ChaosPlan): boolean =>
      faults.some(({ targets }) => targets.some((one) => one.kind === "rank" && one.rank === 3));
    // In the same world, so that rank 3 is there.
    const admits = (plan: ChaosPlan): boolean => training(plan).shape.dp === 4;
    const result = await minimise(smallPlan([fault]), failsWhen(holds).fails, { admits });
    expect(result.plan.faults[0]?.targets).toEqual([{ kind: "rank", rank: 3 }]);
  });
});

describe("making the world smaller", () => {
  it("uses as few ranks and steps as the failure allows, and moves targets along", async () => {
    const holds = (plan: ChaosPlan): boolean => {
      const { shape, steps } = training(plan);
      return shape.dp >= 2 && steps >= 7 && plan.faults.length === 1;
    };
    const result = await minimise(smallPlan([restart(5, 3)]), failsWhen(holds).fails);
    const { shape, steps } = training(result.plan);
    expect(shape).toEqual({ dp: 2, tp: 1, pp: 1 });
    expect(steps).toBeLessThan(12);
    expect(result.plan.fleet.nodes).toBe(1);
    expect(result.plan.faults[0]?.targets).toEqual([{ kind: "rank", rank: 1 }]);
  });

  it("takes spares, comparisons and asynchronous saves away where they do not matter", async () => {
    const plan = smallPlan([restart(5)]);
    const { checkpoint, policy } = training(plan);
    const workload = {
      ...training(plan),
      checkpoint: { ...checkpoint, asynchronous: true },
      policy: { ...policy, compareEverySteps: 2 },
    };
    const given = { ...plan, workload, fleet: { ...plan.fleet, spareNodes: 3 } };
    const holds = ({ faults }: ChaosPlan): boolean => faults.length === 1;
    const result = await minimise(given, failsWhen(holds).fails);
    expect(result.plan.fleet.spareNodes).toBe(0);
    expect(training(result.plan).checkpoint.asynchronous).toBe(false);
    expect(training(result.plan).policy.compareEverySteps).toBe(0);
  });

  it("asks for fewer requests of an inference job", async () => {
    const plan: ChaosPlan = {
      ...smallPlan([restart(5)]),
      workload: {
        kind: "inference",
        replicas: 2,
        requests: 800,
        ratePerS: 100,
        serviceUs: 1000,
        requestTimeoutUs: 100_000,
        attemptsMax: 3,
        startUs: 1000,
        seed: "i",
      },
    };
    const holds = ({ workload }: ChaosPlan): boolean =>
      workload.kind === "inference" && workload.requests >= 150;
    const result = await minimise(plan, failsWhen(holds).fails);
    expect(result.plan.workload).toMatchObject({ requests: 200 });
  });
});

describe("rounding times", () => {
  it("gives times that people would choose, where they fail as well", async () => {
    const timed = (plan: ChaosPlan): number => {
      const trigger = plan.faults[0]?.trigger;
      return trigger?.kind === "time" ? trigger.atUs : 0;
    };
    const holds = (plan: ChaosPlan): boolean => timed(plan) >= 1_150_000;
    const result = await minimise(smallPlan([latency]), failsWhen(holds).fails);
    expect(timed(result.plan)).toBe(1_200_000);
  });
});
