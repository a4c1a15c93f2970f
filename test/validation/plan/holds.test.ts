import { describe, expect, it } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import { heldNodes } from "../../../src/validation/act/index.ts";
import type { NodeEvent } from "../../../src/validation/history/history.ts";
import { createPlanner, type WantedRun } from "../../../src/validation/plan/index.ts";
import { checkOf, inputOf, nodeOf, noonMs, settingsOf } from "./small-cluster.ts";

const word = (node: string, action: string, atMs: number): NodeEvent => ({
  cluster: "c",
  node,
  atMs,
  kind: "override",
  details: { action, reason: "fan swap", actor: "ann" },
});

const purposes = ["retest", "acceptance", "manual"] as const;

describe("a node that a person holds", () => {
  // Closed by us is free for tests, on Slurm with its drain lifted.
  const nodes = [nodeOf("a", { cordoned: true, awaitsAcceptance: true }), nodeOf("b")];
  const held = heldNodes([word("a", "hold", 1)]);

  it.each(["stale", "random", "risk"] as const)(
    "is not tested by %s, and is listed with who holds it and why; one that nobody holds is",
    (policy) => {
      const settings = settingsOf({ checks: [checkOf("dl")], policy });
      const planner = createPlanner({ settings, rng: createRng("0") });
      const plan = planner.plan(inputOf(nodes, { checks: ["dl"], held }));
      expect(plan.chosen.map(({ node }) => node.name)).toEqual(["b"]);
      const [one, ...others] = plan.postponed;
      expect(one).toMatchObject({ node: "a", rail: "not-free" });
      expect(one?.reason).toMatch(/^held by ann: fan swap; /);
      expect(others).toEqual([]);
      const free = createPlanner({ settings, rng: createRng("0") });
      const { chosen } = free.plan(inputOf(nodes.slice(0, 1), { checks: ["dl"] }));
      expect(chosen.map(({ node }) => node.name)).toEqual(["a"]);
    },
  );

  it.each(purposes)("has no run of purpose %s, however much it is wanted", (purpose) => {
    const settings = settingsOf({ checks: [checkOf("dl")] });
    const wanted: WantedRun = { node: "a", check: "dl", purpose, reason: "x", notBeforeMs: 0 };
    const input = inputOf(nodes, { checks: ["dl"], held, wanted: [wanted], nowMs: noonMs });
    const plan = createPlanner({ settings, rng: createRng("0") }).plan(input);
    expect(plan.chosen.map(({ node }) => node.name)).toEqual(["b"]);
    expect(plan.postponed[0]).toEqual({
      node: "a",
      check: "dl",
      rail: "not-free",
      reason: "held by ann: fan swap",
    });
  });
});

describe("who holds which node", () => {
  it("is what the newest hold or release says; asking for a test releases nothing", () => {
    const events = [
      word("released", "release", 2),
      word("released", "hold", 1),
      word("held again", "release", 1),
      word("held again", "hold", 2),
      word("asked for", "hold", 1),
      word("asked for", "test", 2),
    ];
    expect([...heldNodes(events).keys()].toSorted()).toEqual(["asked for", "held again"]);
  });
});
