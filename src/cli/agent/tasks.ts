import { didYouMean } from "../../platform/config/index.ts";
import type { RankTask } from "../../runtime/ranks/index.ts";
import { usageError } from "../usage-error.ts";

/** What ranks of this program can do; each task is loaded only in the processes that run it. */
const rankTasks: Readonly<Record<string, () => Promise<RankTask>>> = {
  "dl-unit-gpu": async () =>
    (await import("../../validation/checks/dl-unit/rank-task.ts")).dlUnitTask,
  "nccl-loopback": async () =>
    (await import("../../validation/checks/nccl-loopback/rank-task.ts")).ncclLoopbackTask,
  collective: async () => (await import("../../runtime/ranks/tasks/collective.ts")).collectiveTask,
  train: async () => (await import("../../runtime/training/tasks/index.ts")).trainTask,
  scaling: async () => (await import("../../runtime/ranks/tasks/scaling.ts")).scalingTask,
};

/** The names of the tasks. */
export const rankTaskNames: readonly string[] = Object.keys(rankTasks);

/** The task of a name. @throws TesseraError E_USAGE */
export async function loadRankTask(name: string, command: string): Promise<RankTask> {
  const load = Object.hasOwn(rankTasks, name) ? rankTasks[name] : undefined;
  if (load === undefined) {
    throw usageError(command, `There is no task \`${name}\`${didYouMean(name, rankTaskNames)}`);
  }
  return load();
}
