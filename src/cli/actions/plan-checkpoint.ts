import { resolve } from "node:path";
import { exitCodes } from "../../platform/errors/index.ts";
import { createRng } from "../../platform/rng/index.ts";
import { type CheckpointPlan, planCheckpoints } from "../../runtime/planning/index.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { planDocument } from "../plan-checkpoint/document.ts";
import type { PlanRun } from "../plan-checkpoint/report.ts";
import {
  type PlanCheckpointRequest,
  readPlanCheckpointRequest,
} from "../plan-checkpoint/request.ts";
import { showPlan } from "../plan-checkpoint/show.ts";

const defaultSeed = "0";

/** `tessera plan-checkpoint`: how often to save, and what that is worth. */
export const run: Action = async (invocation) => {
  const { clock, globals, io, options } = invocation;
  const startedAtMs = clock.nowMs();
  const startedMs = clock.monotonicMs();
  const request = readPlanCheckpointRequest(options);
  const seed = globals.seed ?? defaultSeed;
  const plan = planCheckpoints(request.plan, createRng(seed));
  const durationMs = clock.monotonicMs() - startedMs;
  await writeFiles(invocation, { request, plan, run: { startedAtMs, durationMs, seed } });
  if (globals.json) writeJson(io.stdout, planDocument(request, plan, seed));
  else for (const line of showPlan(request, plan, seed)) writeLine(io.stdout, line);
  return exitCodes.good;
};

async function writeFiles(
  { globals, io, options }: Invocation,
  result: {
    readonly request: PlanCheckpointRequest;
    readonly plan: CheckpointPlan;
    readonly run: PlanRun;
  },
): Promise<void> {
  const wanted = [
    { path: options["html"], format: "html" },
    { path: globals.junit, format: "junit" },
  ] as const;
  if (wanted.every(({ path }) => path === undefined)) return;
  const [{ planReport }, { createFileReporter }] = await Promise.all([
    import("../plan-checkpoint/report.ts"),
    import("../../platform/reporters/index.ts"),
  ]);
  const report = planReport(result.request, result.plan, result.run);
  for (const { path, format } of wanted) {
    if (typeof path !== "string") continue;
    await createFileReporter({ path: resolve(io.cwd, path), format }).onEnd?.(report);
  }
}
