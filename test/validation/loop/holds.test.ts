import { describe, expect, test } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import { createPlanner } from "../../../src/validation/plan/index.ts";
import { Life } from "./support/life.ts";
import { calm } from "./support/schedule.ts";
import { Simulation } from "./support/simulation.ts";

describe("a loop on nodes of which a person holds one", () => {
  test("begins no run there until it is released, and says who holds it", async () => {
    const simulation = new Simulation(calm);
    const { history, clock, calendar } = simulation;
    const settings = simulation.settings();
    const say = (action: string) => {
      const details = { action, reason: "fan swap", actor: "ann" };
      const word = { cluster: "world", node: "node-1", atMs: calendar.nowMs(), details };
      return history.recordNodeEvents([{ ...word, kind: "override" }]);
    };
    await say("hold");
    const life = new Life(undefined, () => {});
    const planner = async () => createPlanner({ settings, rng: createRng("0") });
    const { loop, stop, done } = simulation.startLoop(life, { planner });
    const tested = () => new Set(history.records("world").map(({ intent }) => intent.node));
    await clock.advance(20_000);
    expect([...tested()].toSorted()).toEqual(["node-0", "node-2", "node-3"]);
    expect(loop.status().postponed).toEqual([
      expect.objectContaining({
        node: "node-1",
        reason: expect.stringContaining("held by ann: fan swap"),
      }),
    ]);
    await say("release");
    await clock.advance(20_000);
    expect(tested().has("node-1")).toBe(true);
    stop.abort();
    await clock.advance(5_000);
    await done;
  });
});
