import { exitCodes, TesseraError } from "../../platform/errors/index.ts";
import { openTrial, openWorkers } from "../chaos/campaign/open-workers.ts";
import type { Action } from "../invocation.ts";
import { writeLine } from "../output.ts";

/** `tessera agent chaos-part`: one range of a campaign, in a pod of an indexed Job. */
export const run: Action = async ({ clock, io, signal }) => {
  const [{ runCampaign }, { partToLines, partVariables, rangeAt }] = await Promise.all([
    import("../../chaos/campaign/index.ts"),
    import("../../chaos/campaign/on-kubernetes/index.ts"),
  ]);
  const seed = io.env[partVariables.seed];
  const place = Number(io.env["JOB_COMPLETION_INDEX"] ?? 0);
  const range = rangeAt(io.env[partVariables.ranges] ?? "", place);
  if (seed === undefined || range === undefined) {
    const names = `${partVariables.seed} and ${partVariables.ranges}`;
    throw new TesseraError("E_CAMPAIGN", { problem: `${names} do not say what index ${place} is` });
  }
  const workers = await openWorkers(1, await openTrial(), signal);
  const part = await runCampaign({ seed, ...range, workers, clock, signal });
  for (const line of partToLines(part)) writeLine(io.stdout, line);
  return exitCodes.good;
};
