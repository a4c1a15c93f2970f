import { TesseraError } from "../../platform/errors/index.ts";
import type { ChaosPlan } from "../plan/index.ts";
import type { RunRecord } from "../record/index.ts";
import type { World, WorldRunOptions } from "../world.ts";
import { runInference } from "./inference/index.ts";
import { runTraining } from "./job/index.ts";
import { refusalsOf } from "./refusals.ts";
import type { SimRunOptions } from "./run-options.ts";

export type SimWorldOptions = Pick<SimRunOptions, "breathe" | "onTrace" | "traceWindow">;

/**
 * The world in which nothing is real but the numbers: machines, links, store, processes and time are simulated.
 * The same plan gives the same record, bit for bit.
 */
export function createSimWorld(options: SimWorldOptions = {}): World {
  return {
    name: "sim",
    refusals: refusalsOf,
    run: (plan, runOptions) => run(plan, { ...options, ...runOptions }),
  };
}

async function run(
  plan: ChaosPlan,
  options: WorldRunOptions & SimWorldOptions,
): Promise<RunRecord> {
  const [problem] = refusalsOf(plan);
  if (problem !== undefined) throw new TesseraError("E_WORLD", { world: "sim", problem });
  const { workload } = plan;
  if (workload.kind === "training") return runTraining(plan, workload, options);
  if (workload.kind === "inference") return runInference(plan, workload, options);
  throw new TesseraError("E_WORLD", { world: "sim", problem: `it runs no ${workload.kind}` });
}
