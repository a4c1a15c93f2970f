import { TesseraError } from "../../../platform/errors/index.ts";
import type { Clock } from "../../../platform/time/index.ts";
import type { CampaignPart } from "../campaign-part.ts";
import { type RunRanges, runCount } from "../spread/index.ts";
import { CampaignFolder } from "./campaign-folder.ts";

/** How far a task is is told so often. */
const noteEveryMs = 5000;

/**
 * In a task: makes the runs of its ranges and leaves them in the campaign's folder.
 *
 * @param about.task `12_3`: the array and the task's place in it
 * @throws E_CAMPAIGN when this node does not see the folder
 */
export async function makePartFile(about: {
  readonly folder: string;
  readonly task: string;
  readonly ranges: RunRanges;
  readonly clock: Clock;
  readonly make: (onRun: () => Promise<void>) => Promise<CampaignPart>;
}): Promise<void> {
  const { task, ranges, clock } = about;
  const folder = new CampaignFolder(about.folder);
  if (!(await folder.hasMark())) {
    const problem = `this node does not see ${folder.path} as the one that began the campaign does; it must be the same folder on all nodes`;
    throw new TesseraError("E_CAMPAIGN", { problem });
  }
  const total = runCount(ranges);
  let done = 0;
  await folder.writeNote(task, { done, total });
  let toldMs = clock.monotonicMs();
  const part = await about.make(async () => {
    done++;
    if (clock.monotonicMs() - toldMs < noteEveryMs) return;
    toldMs = clock.monotonicMs();
    await folder.writeNote(task, { done, total });
  });
  await folder.writePart(ranges, part);
}
