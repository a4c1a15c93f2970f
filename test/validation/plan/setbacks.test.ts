import { describe, expect, it } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import {
  createPlanner,
  type EndedRun,
  type PlanInput,
} from "../../../src/validation/plan/index.ts";
import type { PassScope } from "../../../src/validation/plan/planner.ts";
import { dayMs, hourMs, inputOf, minuteMs, nodeOf, noonMs, settingsOf } from "./small-cluster.ts";

const retestAfterMs = 10 * minuteMs;

const ended = (outcome: EndedRun["outcome"], agoMs: number, check = "dl"): EndedRun => ({
  node: "a",
  check,
  endedAtMs: noonMs - agoMs,
  outcome,
});

/** What is begun on node `a` after these runs, by a loop to which nothing else is in the way. */
function begunAfter(runs: readonly EndedRun[], changes: Parameters<typeof inputOf>[1] = {}) {
  const settings = settingsOf({ guard: { retestAfterMs } });
  const planner = createPlanner({ settings, rng: createRng("0"), runs });
  return planner.plan(inputOf([nodeOf("a")], changes));
}

const names = ({ chosen }: ReturnType<typeof begunAfter>) => chosen.map(({ check }) => check);

describe("a check that came to nothing", () => {
  const alone: Partial<PlanInput> & { checks: string[] } = { checks: ["dl"] };

  it("is not begun again at once, and says why", () => {
    const plan = begunAfter([ended("broken", minuteMs)], alone);
    expect(plan.chosen).toEqual([]);
    expect(plan.postponed).toEqual([
      {
        node: "a",
        check: "dl",
        rail: "not-before",
        reason: "its last run came to nothing; it waits 9 min more",
      },
    ]);
  });

  it("waits twice as long each time, at most a day", () => {
    const waitOf = (count: number) => {
      const runs = Array.from({ length: count }, (_, at) => ended("broken", count - at));
      const waits = (ms: number) => begunAfter(runs, { ...alone, nowMs: noonMs - 1 + ms });
      let [low, high] = [0, 2 * dayMs];
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if (names(waits(middle)).length === 0) low = middle;
        else high = middle;
      }
      return high;
    };
    expect([1, 2, 3, 8, 40].map(waitOf)).toEqual([
      retestAfterMs,
      2 * retestAfterMs,
      4 * retestAfterMs,
      128 * retestAfterMs,
      dayMs,
    ]);
  });

  it.each(["passed", "found", "no-result"] as const)(
    "begins anew after a run that %s",
    (outcome) => {
      const runs = [ended("broken", 3), ended("broken", 2), ended(outcome, 1)];
      expect(names(begunAfter(runs, alone))).toEqual(["dl"]);
    },
  );

  it("waits on when a run was cancelled, which says nothing", () => {
    const runs = [ended("broken", 2), ended("cancelled", 1)];
    expect(names(begunAfter(runs, alone))).toEqual([]);
    expect(names(begunAfter([ended("cancelled", 1)], alone))).toEqual(["dl"]);
  });

  it("counts a run once that it is told of twice", () => {
    const runs = [ended("broken", retestAfterMs), ended("broken", retestAfterMs)];
    expect(names(begunAfter(runs, alone))).toEqual(["dl"]);
  });

  it("lets the other checks of its node go first, and is tried again after them", () => {
    const long = [ended("broken", dayMs)];
    expect(names(begunAfter(long))).toEqual(["io"]);
    expect(names(begunAfter(long, { agesDays: { "a/io": 1 } }))).toEqual(["dl"]);
    expect(names(begunAfter([]))).toEqual(["dl"]);
  });

  it("holds up no other check while it waits", () => {
    expect(names(begunAfter([ended("broken", minuteMs)]))).toEqual(["io"]);
  });

  it("is begun in a single pass, once, for what broke it may have been mended", () => {
    const begun = new Set<string>();
    const scope: PassScope = {
      includes: () => true,
      hasBegun: (_, check) => begun.has(check),
    };
    const plan = () => names(begunAfter([ended("broken", minuteMs)], { ...alone, scope }));
    expect(plan()).toEqual(["dl"]);
    begun.add("dl");
    expect(plan()).toEqual([]);
  });

  it.each(["risk", "random", "stale"] as const)("waits under the policy %s", (policy) => {
    const settings = settingsOf({ policy, guard: { retestAfterMs } });
    const planner = createPlanner({ settings, rng: createRng("0") });
    planner.observeRun(ended("broken", minuteMs));
    const input = inputOf([nodeOf("a")], { agesDays: { "a/dl": 60, "a/io": 60 } });
    expect(names(planner.plan(input))).toEqual(["io"]);
    expect(names(planner.plan({ ...input, nowMs: noonMs + hourMs }))).toHaveLength(1);
  });
});
