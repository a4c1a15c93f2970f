import { describe, expect, it } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import type { ClusterNode, ClusterView } from "../../../src/validation/clusters/cluster.ts";
import { planNow } from "../../../src/validation/loop/plan-step.ts";
import { createPlanner } from "../../../src/validation/plan/index.ts";
import { because, inputOf, nodeOf, noonMs, settingsOf } from "../plan/small-cluster.ts";

/** The plan for nodes `a` and `b`, both free when its input was read. */
function planWhen(...nodes: readonly ClusterNode[]) {
  const planner = createPlanner({ settings: settingsOf(), rng: createRng("0") });
  const input = inputOf([nodeOf("a"), nodeOf("b")], { checks: ["dl"] });
  const view: ClusterView = { atMs: noonMs, trust: { state: "current" }, nodes, jobs: [] };
  const { chosen, postponed, postponedByRail } = planNow(planner, input, view);
  return { chosen: chosen.map(({ node }) => node.name), postponed, postponedByRail };
}

describe("a plan whose nodes changed while it was made", () => {
  it("begins nothing on a node that was taken meanwhile, and says so", () => {
    const taken = nodeOf("b", { notFree: because("busy") });
    const plan = planWhen(nodeOf("a"), taken);
    expect(plan.chosen).toEqual(["a"]);
    expect(plan.postponed).toEqual([
      {
        node: "b",
        check: "dl",
        rail: "not-free",
        reason: "it was free when the plan was made, and is not any more",
      },
    ]);
    expect([...plan.postponedByRail]).toEqual([["not-free", 1]]);
  });

  it("postpones nothing when all its nodes are as they were", () => {
    const plan = planWhen(nodeOf("a"), nodeOf("b"));
    expect(plan.chosen).toEqual(["a", "b"]);
    expect(plan.postponed).toEqual([]);
    expect([...plan.postponedByRail]).toEqual([]);
  });
});
