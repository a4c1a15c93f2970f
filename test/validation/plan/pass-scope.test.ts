import { describe, expect, it } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import { createPlanner, type Planner, type WantedRun } from "../../../src/validation/plan/index.ts";
import type { PassScope } from "../../../src/validation/plan/planner.ts";
import { dayMs, hourMs, inputOf, nodeOf, noonMs, settingsOf } from "./small-cluster.ts";

const policies = ["stale", "random", "risk"] as const;

/** A pass over these nodes, and what it has begun so far. */
function passOver(...names: readonly string[]) {
  const begun = new Set<string>();
  const scope: PassScope = {
    includes: (node) => names.includes(node),
    hasBegun: (node, check) => begun.has(`${node}/${check}`),
  };
  return { scope, begun };
}

/** Plans again and again, and never hears of a result: everything stays as due as it was. */
function planAll(planner: Planner, { scope, begun }: ReturnType<typeof passOver>) {
  const all: string[] = [];
  const nodes = [nodeOf("a"), nodeOf("b")];
  for (let at = 0; at < 5; at += 1) {
    const plan = planner.plan(inputOf(nodes, { scope, nowMs: noonMs + at * hourMs }));
    const chosen = plan.chosen.map(({ node, check }) => `${node.name}/${check}`);
    for (const pair of chosen) begun.add(pair);
    all.push(...chosen);
  }
  return all;
}

describe.each(policies)("a single pass planned by %s", (policy) => {
  const planner = () => createPlanner({ settings: settingsOf({ policy }), rng: createRng("7") });

  it("has each check on each node once, though the first be the most urgent ever after", () => {
    const chosen = planAll(planner(), passOver("a", "b"));
    expect(chosen.toSorted()).toEqual(["a/dl", "a/io", "b/dl", "b/io"]);
  });

  it("is over some nodes; others take up no room, and it is said why they are left", () => {
    const settings = settingsOf({ policy, guard: { inFlightMax: 1 } });
    const { scope } = passOver("b");
    // The one that came later has waited longest.
    const agesDays = { "a/dl": 90, "a/io": 90, "b/dl": 80, "b/io": 80 };
    const input = inputOf([nodeOf("a"), nodeOf("b")], { scope, agesDays });
    const plan = createPlanner({ settings, rng: createRng("7") }).plan(input);
    expect(plan.chosen.map(({ node }) => node.name)).toEqual(["b"]);
    const left = plan.postponed.find(({ node }) => node === "a");
    expect(left).toMatchObject({ rail: "not-free" });
    expect(left?.reason).toMatch(/^it was not free when this pass began; /);
  });

  it("ends with nothing postponed once everything had its turn", () => {
    const { scope, begun } = passOver("a");
    for (const pair of ["a/dl", "a/io"]) begun.add(pair);
    const plan = planner().plan(inputOf([nodeOf("a")], { scope }));
    expect([plan.chosen, plan.postponed]).toEqual([[], []]);
    const endless = planner().plan(inputOf([nodeOf("a")]));
    expect(endless.chosen).toHaveLength(1);
  });
});

describe("a retest of what a pass has begun", () => {
  const retest: WantedRun = {
    node: "a",
    check: "dl",
    purpose: "retest",
    reason: "suspect",
    notBeforeMs: 0,
  };
  const planner = createPlanner({ settings: settingsOf(), rng: createRng("0") });
  const agesDays = { "a/dl": 0, "a/io": 30 };
  const input = { agesDays, wanted: [retest], nowMs: noonMs + dayMs };

  it("does not keep its node from the other checks of the pass", () => {
    const { scope, begun } = passOver("a");
    begun.add("a/dl");
    const { chosen } = planner.plan(inputOf([nodeOf("a")], { ...input, scope }));
    expect(chosen.map(({ check, purpose }) => [check, purpose])).toEqual([["io", "routine"]]);
  });

  it("goes first where no pass has begun it", () => {
    const { chosen } = planner.plan(inputOf([nodeOf("a")], { ...input, ...passOver("a") }));
    expect(chosen.map(({ check, purpose }) => [check, purpose])).toEqual([["dl", "retest"]]);
  });
});
