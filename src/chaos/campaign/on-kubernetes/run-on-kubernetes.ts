import { TesseraError } from "../../../platform/errors/index.ts";
import type { KubeClient } from "../../../platform/kube/index.ts";
import type { Clock } from "../../../platform/time/index.ts";
import { version } from "../../../version.ts";
import { type CampaignPart, joinParts } from "../campaign-part.ts";
import type { CampaignJobOptions } from "./campaign-job.ts";
import { CampaignJobRun } from "./campaign-job-run.ts";
import { checkCampaignRights } from "./campaign-rights.ts";
import { takeOverJobs } from "./earlier-jobs.ts";
import { missingIn, type RunRange, splitStretches } from "./split-range.ts";

export interface KubernetesCampaignOptions
  extends Pick<CampaignJobOptions, "image" | "command" | "imagePullPolicy" | "namespace" | "seed"> {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Marks the Jobs; the same in every start of one campaign. Letters, digits, hyphens, at most 40. */
  readonly campaign: string;
  /** Makes the names of this start's Jobs its own. @default "1" */
  readonly start?: string;
  readonly range: RunRange;
  readonly pods: number;
  readonly signal: AbortSignal;
  /** @default "1" */
  readonly cpu?: string;
  /** @default "1Gi" */
  readonly memory?: string;
  /** Of one round. @default six hours */
  readonly deadlineMs?: number;
  /** Of an earlier start: these runs are not made again. @default nothing */
  readonly known?: Pick<CampaignPart, "runs" | "canaries">;
  /** Hears of each part as soon as it is read, and keeps it. */
  readonly onPart?: (part: CampaignPart) => Promise<void>;
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
  const onPart = (part: CampaignPart) => gathered.add(part);
  await takeOverJobs(client, { namespace, campaign, seed }, onPart, signal);
  let problem = "";
  for (let round = 1; round <= roundsMax && gathered.missing.length > 0; round++) {
    const ranges = splitStretches(gathered.missing, options.pods);
    gathered.round = round;
    const job = new CampaignJobRun(
      options,
      { ranges, name: `${campaign}-${start}-${round}` },
      onPart,
    );
    ({ problem } = await job.carryOut());
  }
  const { missing } = gathered;
  if (missing.length > 0) {
    const which = missing.map(({ from, to }) => `${from}:${to}`).join(", ");
    const told = `the runs ${which} were not made in ${roundsMax} rounds: ${problem}`;
    throw new TesseraError("E_CAMPAIGN", { problem: told });
  }
  return gathered.partOf(range);
}

/** What is here by now, and what is not. */
class GatheredParts {
  readonly #options: KubernetesCampaignOptions;
  readonly #parts: CampaignPart[] = [];
  readonly #indexes = new Set<number>();
  round = 0;

  constructor(options: KubernetesCampaignOptions) {
    this.#options = options;
    const { seed, known } = options;
    if (known !== undefined) {
      const format = "tessera-chaos-campaign-part/1";
      this.#take({ format, version, seed, ...known });
    }
  }

  /** Runs of the campaign's range that nobody has made yet. */
  get missing(): readonly RunRange[] {
    return missingIn(this.#options.range, this.#indexes);
  }

  async add(part: CampaignPart): Promise<void> {
    const { range, onPart, onProgress } = this.#options;
    await onPart?.(part);
    this.#take(part);
    const { from, to } = range;
    const left = this.missing.reduce((sum, one) => sum + one.to - one.from, 0);
    const total = to - from;
    onProgress?.({ done: total - left, total, round: this.round });
  }

  partOf({ from, to }: RunRange): CampaignPart {
    const joined = joinParts(this.#parts);
    return { ...joined, runs: joined.runs.filter(({ index }) => index >= from && index < to) };
  }

  #take(part: CampaignPart): void {
    this.#parts.push(part);
    for (const { index } of part.runs) this.#indexes.add(index);
  }
}
