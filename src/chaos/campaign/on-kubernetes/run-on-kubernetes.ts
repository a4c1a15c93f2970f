import { TesseraError } from "../../../platform/errors/index.ts";
import type { KubeClient } from "../../../platform/kube/index.ts";
import type { Clock } from "../../../platform/time/index.ts";
import type { CampaignPart } from "../campaign-part.ts";
import {
  GatheredParts,
  type GatheredPartsOptions,
  nameRanges,
  splitStretches,
} from "../spread/index.ts";
import type { CampaignJobOptions } from "./campaign-job.ts";
import { CampaignJobRun } from "./campaign-job-run.ts";
import { checkCampaignRights } from "./campaign-rights.ts";
import { takeOverJobs } from "./earlier-jobs.ts";

export interface KubernetesCampaignOptions
  extends Pick<CampaignJobOptions, "image" | "command" | "imagePullPolicy" | "namespace">,
    GatheredPartsOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Marks the Jobs; the same in every start of one campaign. Letters, digits, hyphens, at most 40. */
  readonly campaign: string;
  /** Makes the names of this start's Jobs its own. @default "1" */
  readonly start?: string;
  readonly pods: number;
  readonly signal: AbortSignal;
  /** @default "1" */
  readonly cpu?: string;
  /** @default "1Gi" */
  readonly memory?: string;
  /** Of one round. @default six hours */
  readonly deadlineMs?: number;
  readonly onProgress?: (progress: {
    /** Runs that are here. */
    readonly done: number;
    readonly total: number;
    readonly round: number;
  }) => void;
}

/** Ranges whose result was lost with a pod are run again so often. */
const roundsMax = 3;

/**
 * Runs a campaign as indexed Jobs, one pod for each range, and joins what they print. A range whose
 * result is not whole is run again: the joined part is that of the same campaign run in one place.
 *
 * @throws E_CAMPAIGN when a right is missing, ranges are missing after all rounds, or the image is of
 *   another version.
 */
export async function runCampaignOnKubernetes(
  options: KubernetesCampaignOptions,
): Promise<CampaignPart> {
  const { client, namespace, campaign, start = "1", seed, range, signal } = options;
  await checkCampaignRights(client, namespace, signal);
  const gathered = new GatheredParts(options);
  let round = 0;
  const onPart = async (part: CampaignPart): Promise<void> => {
    await gathered.add(part);
    options.onProgress?.({ done: gathered.done, total: range.to - range.from, round });
  };
  await takeOverJobs(client, { namespace, campaign, seed }, onPart, signal);
  let problem = "";
  while (round < roundsMax && gathered.missing.length > 0) {
    round++;
    const ranges = splitStretches(gathered.missing, options.pods);
    const job = new CampaignJobRun(
      options,
      { ranges, name: `${campaign}-${start}-${round}` },
      onPart,
    );
    ({ problem } = await job.carryOut());
  }
  const { missing } = gathered;
  if (missing.length > 0) {
    const told = `the runs ${nameRanges(missing)} were not made in ${roundsMax} rounds: ${problem}`;
    throw new TesseraError("E_CAMPAIGN", { problem: told });
  }
  return gathered.whole();
}
