import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadExperiment } from "../../../src/chaos/experiment/file/index.ts";
import {
  experimentText,
  parseExperiment,
  planToExperiment,
  resolveExperiment,
} from "../../../src/chaos/experiment/index.ts";
import { slurmRefusals } from "../../../src/chaos/slurm/index.ts";
import { planOf } from "./support/site.ts";

const folder = join(import.meta.dirname, "../../../examples/chaos/slurm");
const jobNodes = ["g0", "g1"];

describe("the examples for Slurm", () => {
  it.each(readdirSync(folder))(
    "%s is a plan that Slurm can run, and no other world",
    async (name) => {
      const experiment = await loadExperiment(join(folder, name));
      const plan = resolveExperiment(experiment, { jobNodes });
      expect(experiment.world).toBe("slurm");
      expect(slurmRefusals(plan, { daemonHook: false })).toEqual([]);
      const { createSimWorld } = await import("../../../src/chaos/sim/index.ts");
      expect(createSimWorld().refusals(plan)).not.toEqual([]);
      // Written out, nothing is left to chance: it is the same plan.
      const written = parseExperiment(experimentText(planToExperiment(plan)), name);
      expect(resolveExperiment(written)).toEqual(plan);
    },
  );
});

describe("a plan", () => {
  const has = { daemonHook: false };
  const killSlurmd = "{ fault: kill_slurmd, target: { slurmNode: g0 }, at: { time: 0s } }";

  it("that kills slurmd needs commands for it", () => {
    const plan = planOf({ faults: [killSlurmd] });
    expect(slurmRefusals(plan, has).join()).toContain("slurm.stopSlurmd");
    expect(slurmRefusals(plan, { daemonHook: true })).toEqual([]);
  });

  it("that waits for a step needs a job that tells of steps", () => {
    const faults = ["{ fault: requeue_job, target: { slurmJob: true }, at: { step: 9 } }"];
    expect(() => planOf({ faults })).toThrow(/knows a time, and no step/);
    expect(() => planOf({ faults, workload: "job: train, output: /o" })).not.toThrow();
  });

  it("about something else than a job of Slurm is refused, and so is a fault of something else", () => {
    const plan = planOf({ faults: [killSlurmd] });
    const pods = { kind: "pods", namespace: "a", selector: "b", progress: false } as const;
    expect(slurmRefusals({ ...plan, workload: pods }, has).join()).toContain("of kind pods");
    const [fault] = plan.faults;
    if (fault === undefined) throw new Error("there is one");
    const other = { ...plan, faults: [{ ...fault, fault: "kill_pod" as const }] };
    expect(slurmRefusals(other, has).join()).toContain("kill_pod cannot be done through Slurm");
  });

  it("chooses nodes of a job by chance only where Slurm says which those are", () => {
    const faults = [killSlurmd.replace("slurmNode: g0", "random: { count: 1, of: jobNodes }")];
    const [first] = planOf({ faults }).faults;
    expect(["g0", "g1"]).toContain((first?.targets[0] as { name: string } | undefined)?.name);
    const three = [faults[0]?.replace("count: 1", "count: 3") ?? ""];
    expect(() => planOf({ faults: three })).toThrow(/3 jobNodes are wanted, and there are 2/);
  });
});
