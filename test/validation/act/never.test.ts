import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runOutcomes, verdicts } from "../../../src/platform/words.ts";
import type { NodeAction } from "../../../src/validation/act/index.ts";
import { checks, World } from "./world.ts";

const nodeCount = 6;
const node = fc.integer({ min: 0, max: nodeCount - 1 }).map((at) => `n${at}`);
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      what: fc.constant("run" as const),
      node,
      check: fc.constantFrom(...checks),
      verdict: fc.constantFrom(...verdicts, "fail" as const),
      outcome: fc.constantFrom(...runOutcomes, "completed" as const, "completed" as const),
      isIncident: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom("repair", "pass-all"), node }) },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constantFrom("hold", "release", "foreign", "hand-over", "round-trip"),
      node,
    }),
  },
  { weight: 4, arbitrary: fc.record({ what: fc.constant("tick" as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What decisions are held against: kept by the test itself, from what it did. */
class Ledger {
  readonly held = new Set<string>();
  readonly closedAtMs = new Map<string, number>();
  readonly repairedAtMs = new Map<string, number>();
  readonly releasedByHand = new Set<string>();

  /** Whoever leads sees what others did, and a word to open a node that is not closed by us is over. */
  see(world: World): void {
    for (const { name, cordoned, awaitsAcceptance } of world.nodes.values()) {
      if (!cordoned) this.closedAtMs.delete(name);
      if (!awaitsAcceptance) this.releasedByHand.delete(name);
    }
  }

  check(world: World, action: NodeAction): void {
    const isClosed = world.nodes.get(action.node)?.awaitsAcceptance === true;
    if (action.kind === "cordon" && !isClosed && !this.held.has(action.node)) {
      const failed = checks.some((check) => this.newest(world, action.node, check) === "fail");
      expect(failed, `${action.node} is closed for a failure`).toBe(true);
    }
    if (action.kind === "release" && !this.releasedByHand.has(action.node)) {
      expect(this.held.has(action.node), "a held node is not opened").toBe(false);
      const closed = this.closedAtMs.get(action.node) ?? Number.POSITIVE_INFINITY;
      const sinceMs = Math.max(closed, this.repairedAtMs.get(action.node) ?? 0);
      for (const check of checks) {
        expect(["pass", "warn"]).toContain(this.newest(world, action.node, check, sinceMs));
      }
    }
  }

  /** The verdict of the newest completed or failed run since a time. */
  newest(world: World, name: string, check: string, sinceMs = 0): string | undefined {
    return world.runs.findLast(
      (run) =>
        run.node === name &&
        run.check === check &&
        run.plannedAtMs >= sinceMs &&
        (run.outcome === "completed" || run.verdict === "fail"),
    )?.verdict;
  }

  note(world: World, action: NodeAction): void {
    if (action.kind === "cordon" && !this.closedAtMs.has(action.node)) {
      this.closedAtMs.set(action.node, world.nowMs);
    }
    if (action.kind === "release") {
      this.closedAtMs.delete(action.node);
      this.releasedByHand.delete(action.node);
    }
  }
}

function play(world: World, ledger: Ledger, one: Step): void {
  switch (one.what) {
    case "run": {
      const { outcome, isIncident } = one;
      // A run that came to nothing is unknown, except by a hard fact.
      const isTelling = outcome === "completed" || one.verdict === "fail";
      const rule = isIncident ? ({ rule: "incident" } as const) : {};
      world.run(one.node, one.check, isTelling ? one.verdict : "unknown", { outcome, ...rule });
      return;
    }
    case "repair":
      world.event(one.node, "repair");
      ledger.repairedAtMs.set(one.node, world.nowMs - 60_000);
      return;
    case "pass-all":
      world.passAll(one.node);
      return;
    case "hold":
      world.override(one.node, "hold");
      ledger.held.add(one.node);
      ledger.releasedByHand.delete(one.node);
      return;
    case "release":
      world.override(one.node, "release");
      ledger.held.delete(one.node);
      ledger.releasedByHand.add(one.node);
      return;
    case "foreign":
      world.setNode(one.node, {
        cordoned: !world.nodes.get(one.node)?.cordoned,
        awaitsAcceptance: false,
      });
      play(world, ledger, { what: "tick" });
      return;
    case "round-trip":
      // Somebody else opens what we closed, users' work and ours goes well there, and it comes back.
      if (world.nodes.get(one.node)?.awaitsAcceptance !== true) return;
      play(world, ledger, { what: "foreign", node: one.node });
      play(world, ledger, { what: "pass-all", node: one.node });
      play(world, ledger, { what: "hand-over", node: one.node });
      return;
    case "hand-over":
      if (world.nodes.get(one.node)?.awaitsAcceptance === true) return;
      // Also one that others had closed: it is for us to open from now on only.
      ledger.closedAtMs.set(one.node, world.nowMs);
      world.setNode(one.node, { cordoned: true, awaitsAcceptance: true });
      return;
    case "tick": {
      ledger.see(world);
      const { actions } = world.decide();
      for (const action of actions) ledger.check(world, action);
      const closedBefore = new Set(world.closed());
      const cordons = actions.filter(
        (action) => action.kind === "cordon" && !closedBefore.has(action.node),
      );
      if (cordons.some((action) => !ledger.held.has(action.node))) {
        const closed = new Set([...closedBefore, ...cordons.map((action) => action.node)]).size;
        expect(closed).toBeLessThanOrEqual(world.settings.cordonedShareMax * nodeCount);
      }
      for (const action of world.tick().actions) ledger.note(world, action);
    }
  }
}

describe("whatever happens, in whatever order", () => {
  it("no node is closed without a failure, opened without fresh passes, or beyond the share", () => {
    const shares = fc.constantFrom(0, 0.2, 0.5, 1);
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 80 }), shares, (steps, share) => {
        const world = new World(nodeCount);
        world.settings = { ...world.settings, cordonedShareMax: share };
        const ledger = new Ledger();
        for (const one of steps) play(world, ledger, one);
        const open = [...world.nodes.values()].filter(({ cordoned }) => !cordoned);
        const byOthers = [...world.nodes.values()].some(
          ({ cordoned, awaitsAcceptance }) => cordoned && !awaitsAcceptance,
        );
        if (ledger.held.size === 0 && !byOthers) expect(open.length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });
});
