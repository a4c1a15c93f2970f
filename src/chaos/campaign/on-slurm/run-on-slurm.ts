import { join } from "node:path";
import type { Clock } from "../../../platform/time/index.ts";
import { version } from "../../../version.ts";
import type { CampaignPart } from "../campaign-part.ts";
import { GatheredParts, type GatheredPartsOptions, splitStretches } from "../spread/index.ts";
import { ArrayFollower } from "./array-follower.ts";
import { CampaignArrays, type CampaignArraysOptions } from "./campaign-arrays.ts";
import { CampaignFolder } from "./campaign-folder.ts";

export interface SlurmCampaignOptions extends CampaignArraysOptions, GatheredPartsOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** A folder that has the same path on all nodes; each campaign has one of its own inside. */
  readonly results: string;
  /** No more than so many in an array. */
  readonly tasks: number;
  /** Of the whole campaign, waiting included. @default a day */
  readonly deadlineMs?: number;
  readonly onProgress?: (progress: SlurmCampaignProgress) => void;
  /** Hears of what went wrong without changing the result. */
  readonly onProblem?: (problem: string) => void;
}

export interface SlurmCampaignProgress {
  /** Runs that are made, also those of tasks that have not ended. */
  readonly done: number;
  readonly total: number;
  /** How many tasks run, and for what the others wait. */
  readonly note: string;
}

/**
 * Runs a campaign as a job array, a share of the runs for each task, and joins the files that they leave. A task
 * that is lost is run again, and nothing else is: the joined part is that of the same campaign run in
 * one place. Arrays that an earlier start left behind are adopted. However this ends, no job of the
 * campaign is left, and what its tasks finished was handed to `onPart`.
 *
 * @throws E_CAMPAIGN when a task fails by itself, is lost too often, or the time is up, and
 *   whatever the client throws.
 */
export async function runCampaignOnSlurm(options: SlurmCampaignOptions): Promise<CampaignPart> {
  const { campaign, results, signal, seed, tasks: count } = options;
  const folder = new CampaignFolder(join(results, campaign));
  const arrays = new CampaignArrays(options, folder);
  const gathered = new GatheredParts(options);
  await folder.prepare();
  try {
    // Jobs first: one that ends after this was asked is followed, one that ended before left its file.
    const jobs = await arrays.jobs(signal);
    await gatherFiles(folder, gathered, seed);
    const adopted = await arrays.adopt(jobs, gathered.missing, signal);
    const left = gathered.missingBeside(adopted.flatMap(({ ranges }) => ranges));
    const made = left.length === 0 ? [] : await arrays.submit(splitStretches(left, count), signal);
    await new ArrayFollower(options, { folder, arrays, gathered }).follow([...adopted, ...made]);
  } catch (error) {
    await endJobs(arrays, options);
    // Why it ended matters more than what could not be kept then: the files stay for the next start.
    await gatherFiles(folder, gathered, seed).catch(() => {});
    await folder.removeUnused();
    throw error;
  }
  // An array whose number never came back may wait still, for runs that others have made.
  await endJobs(arrays, options);
  await folder.remove();
  return gathered.whole();
}

async function endJobs(
  arrays: CampaignArrays,
  { campaign, onProblem }: SlurmCampaignOptions,
): Promise<void> {
  const problem = await arrays.cancelAll();
  if (problem !== undefined) onProblem?.(`jobs of ${campaign} may still run: ${problem}`);
}

/** Takes what is there, and whole, and of this campaign. */
async function gatherFiles(
  folder: CampaignFolder,
  gathered: GatheredParts,
  seed: string,
): Promise<void> {
  for (const span of await folder.partSpans()) {
    if (gathered.missingIn(span).length === 0) continue;
    const part = await folder.readPart(span);
    if (part?.version === version && part.seed === seed) await gathered.add(part);
  }
}
