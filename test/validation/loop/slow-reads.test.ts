import { describe, expect, test } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import { sleep } from "../../../src/platform/time/index.ts";
import type { LoopSummary } from "../../../src/validation/loop/index.ts";
import { createPlanner } from "../../../src/validation/plan/index.ts";
import { calm } from "./support/schedule.ts";
import { Simulation, timing } from "./support/simulation.ts";

/** A single pass over one node with two checks, in a store that takes so long to say when they last ran. */
async function passWith(readMs: number): Promise<LoopSummary> {
  const simulation = new Simulation({ ...calm, nodes: 1 });
  const { clock, history } = simulation;
  const settings = simulation.settings();
  const [probe] = settings.checks;
  if (probe === undefined) throw new Error("there is a check");
  const both = { ...settings, checks: [probe, { ...probe, name: "second" }] };
  const read = history.latestStatus.bind(history);
  history.latestStatus = async (...asked) => {
    const [cluster, , atMs] = asked;
    const latest = await read(cluster, ["probe", "second"], atMs);
    await sleep(clock, readMs);
    return latest;
  };
  const planner = async () => createPlanner({ settings: both, rng: createRng("0") });
  let summary: LoopSummary | undefined;
  const done = simulation.runOnce({ settings: both, planner }).then((given) => {
    summary = given;
  });
  await simulation.advanceUntil(() => summary !== undefined);
  await done;
  if (summary === undefined) throw new Error("the pass never ended");
  return summary;
}

describe("a single pass whose store is slow", () => {
  // The view has changed by the time that the answer comes, or it has not.
  test.each([0, 0.5, 1, 2, 3, 4, 5, 8, 20].map((times) => times * timing.lagMs))(
    "has each check once when an answer takes %d ms, though a job of its own leaves the node meanwhile",
    async (readMs) => {
      const { ended, postponed } = await passWith(readMs);
      expect(ended.map(({ intent }) => intent.check)).toEqual(["probe", "second"]);
      expect(postponed).toEqual([]);
    },
  );
});
