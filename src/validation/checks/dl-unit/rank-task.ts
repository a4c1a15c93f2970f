import { isTesseraError, messageOf } from "../../../platform/errors/index.ts";
import type { RankTask } from "../../../runtime/ranks/ranks.ts";
import { deviceTaskSchema, type Progress } from "./device-report.ts";
import { openEngine } from "./engine/open-engine.ts";
import { createDeviceGroup } from "./group/device-group.ts";
import { runCases } from "./run-cases.ts";

/** The rank task `dl-unit-gpu`: one process, one device, all cases. */
export const dlUnitTask: RankTask = async (context) => {
  const { rank, input, signal, clock, env } = context;
  const report = (progress: Progress) => context.report(progress);
  const task = deviceTaskSchema.parse(input);
  const group = createDeviceGroup(context, task.engine);
  try {
    const engine = await openEngine(task.engine, { index: rank, clock, env });
    try {
      return await runCases(engine, { task, group, clock, signal, report });
    } finally {
      engine.close();
    }
  } catch (error) {
    // Said before the others can notice, so that they do not seem to be the first.
    const code = isTesseraError(error) ? { code: error.code } : {};
    if (!signal.aborted) report({ kind: "failed", ...code, text: messageOf(error) });
    group.abort(messageOf(error));
    throw error;
  } finally {
    await group.close();
  }
};
