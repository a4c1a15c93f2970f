import { TesseraError } from "../../../platform/errors/index.ts";
import { nameRanges } from "../spread/index.ts";
import type { ArrayTask } from "./campaign-arrays.ts";
import type { CampaignFolder } from "./campaign-folder.ts";

const saidChars = 400;

/** Names task, node and log, and what the task said last. */
export async function taskFailure(
  folder: CampaignFolder,
  { arrayJobId, index, ranges }: ArrayTask,
  about: { readonly problem: string; readonly nodes: readonly string[] },
): Promise<TesseraError<"E_CAMPAIGN">> {
  const task = `${arrayJobId}_${index}`;
  const node = about.nodes.join(", ") || "an unknown node";
  const what = `task ${task} (runs ${nameRanges(ranges)}) on ${node}: ${about.problem}`;
  const [log, note] = await Promise.all([folder.logTail(task), folder.readNote(task)]);
  if (log === undefined && note === undefined) {
    const why = `left neither log nor note in ${folder.path}, which must be the same folder, writable, on all nodes; name another with --results`;
    return new TesseraError("E_CAMPAIGN", { problem: `${what}; it ${why}` });
  }
  const said = (log ?? "").trim().split("\n").slice(-4).join(" / ").slice(-saidChars);
  const end = said === "" ? "it said nothing" : `it said: ${said}`;
  return new TesseraError("E_CAMPAIGN", {
    problem: `${what}; ${end}; its log is ${folder.logPath(task)}`,
  });
}
