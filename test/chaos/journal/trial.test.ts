import { describe, expect, it } from "vitest";
import { createTrial } from "../../../src/chaos/journal/index.ts";
import { judge } from "../../../src/chaos/judge/index.ts";
import type { ChaosPlan } from "../../../src/chaos/plan/index.ts";
import { createSimWorld } from "../../../src/chaos/sim/index.ts";
import type { World } from "../../../src/chaos/world.ts";
import { never } from "./lib/sim-run.ts";
import { restart, smallPlan } from "./lib/small-plan.ts";

function watched(): { readonly world: World; readonly plans: ChaosPlan[] } {
  const sim = createSimWorld();
  const plans: ChaosPlan[] = [];
  const run: World["run"] = (plan, options) => {
    plans.push(plan);
    return sim.run(plan, options);
  };
  return { world: { ...sim, run }, plans };
}

describe("a trial", () => {
  it("shares the run without faults between plans that differ in faults alone", async () => {
    const { world, plans } = watched();
    const trial = createTrial({ world, judge });
    for (const step of [5, 6, 7]) {
      const { judgement } = await trial(smallPlan([restart(step)]), never);
      expect(judgement.outcome).toBe("pass");
    }
    expect(plans.filter(({ faults }) => faults.length === 0)).toHaveLength(1);
  });

  it("does not share it between different jobs, and forgets the oldest", async () => {
    const { world, plans } = watched();
    const trial = createTrial({ world, judge, baselinesMax: 1 });
    const other = { ...smallPlan(), seed: "other" };
    for (const plan of [smallPlan(), other, smallPlan()]) await trial(plan, never);
    expect(plans.filter(({ faults }) => faults.length === 0)).toHaveLength(3);
  });

  it("plants no bug in the run without faults", async () => {
    const { world, plans } = watched();
    await createTrial({ world, judge })({ ...smallPlan(), defects: ["lostUndo"] }, never);
    expect(plans.map(({ defects }) => defects)).toEqual([[], ["lostUndo"]]);
  });

  it("refuses what the world cannot run, and runs nothing", async () => {
    const { world, plans } = watched();
    const trial = createTrial({ world: { ...world, refusals: () => ["too hot"] }, judge });
    await expect(trial(smallPlan(), never)).rejects.toMatchObject({ code: "E_WORLD" });
    expect(plans).toEqual([]);
  });

  it("tries again after a baseline that failed", async () => {
    const { world } = watched();
    let calls = 0;
    const run: World["run"] = (plan, options) =>
      ++calls === 1 ? Promise.reject(new Error("no room")) : world.run(plan, options);
    const trial = createTrial({ world: { ...world, run }, judge });
    await expect(trial(smallPlan(), never)).rejects.toThrow("no room");
    expect((await trial(smallPlan(), never)).judgement.outcome).toBe("pass");
  });
});
