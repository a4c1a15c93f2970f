import { exitCodes, TesseraError } from "../../platform/errors/index.ts";
import { openTrial, openWorkers } from "../chaos/campaign/open-workers.ts";
import type { Action } from "../invocation.ts";
import { writeLine } from "../output.ts";

/** `tessera agent chaos-part`: a share of a campaign, in a pod of an indexed Job or a task of an array. */
export const run: Action = async ({ clock, io, signal }) => {
  const { makeRanges, partToLines, partVariables, rangesAt } = await import(
    "../../chaos/campaign/spread/index.ts"
  );
  const seed = io.env[partVariables.seed];
  const place = Number(io.env["JOB_COMPLETION_INDEX"] ?? io.env["SLURM_ARRAY_TASK_ID"] ?? 0);
  const ranges = rangesAt(io.env[partVariables.ranges] ?? "", place);
  if (seed === undefined || ranges === undefined) {
    const names = `${partVariables.seed} and ${partVariables.ranges}`;
    throw new TesseraError("E_CAMPAIGN", { problem: `${names} do not say what index ${place} is` });
  }
  const workers = await openWorkers(1, await openTrial(), signal);
  const make = (onRun: () => Promise<void>) =>
    makeRanges(ranges, { seed, workers, clock, signal, onRun });
  const folder = io.env[partVariables.folder];
  if (folder === undefined) {
    for (const line of partToLines(await make(async () => {}))) writeLine(io.stdout, line);
  } else {
    const { makePartFile } = await import("../../chaos/campaign/on-slurm/index.ts");
    const task = `${io.env["SLURM_ARRAY_JOB_ID"] ?? 0}_${place}`;
    await makePartFile({ folder, task, ranges, clock, make });
  }
  return exitCodes.good;
};
