import type { RankTask } from "../../../runtime/ranks/ranks.ts";
import { deviceTaskSchema } from "./device-report.ts";
import { openEngine } from "./engine/open-engine.ts";
import { runCases } from "./run-cases.ts";

/** The rank task `dl-unit-gpu`: one process, one device, all cases. */
export const dlUnitTask: RankTask = async ({ rank, input, signal, report, clock, env }) => {
  const task = deviceTaskSchema.parse(input);
  const engine = await openEngine(task.engine, { index: rank, clock, env });
  try {
    return await runCases(engine, { task, clock, signal, report });
  } finally {
    engine.close();
  }
};
