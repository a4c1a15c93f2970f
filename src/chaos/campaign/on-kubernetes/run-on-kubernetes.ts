import { messageOf, TesseraError } from "../../../platform/errors/index.ts";
import {
  isNotFound,
  type KubeClient,
  type KubeObject,
  listAll,
  resourceTypes,
} from "../../../platform/kube/index.ts";
import { type Clock, sleep } from "../../../platform/time/index.ts";
import { version } from "../../../version.ts";
import { type CampaignPart, joinParts } from "../campaign-part.ts";
import { type CampaignJobOptions, campaignJob, campaignLabel } from "./campaign-job.ts";
import { partFromLog } from "./part-lines.ts";
import { type RunRange, splitRange } from "./split-range.ts";

export interface KubernetesCampaignOptions
  extends Pick<CampaignJobOptions, "image" | "command" | "imagePullPolicy" | "namespace" | "seed"> {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Names the Jobs; nobody else may use it. Letters, digits, hyphens, at most 40. */
  readonly campaign: string;
  readonly range: RunRange;
  readonly pods: number;
  readonly signal: AbortSignal;
  /** @default "1" */
  readonly cpu?: string;
  /** @default "1Gi" */
  readonly memory?: string;
  /** Of one round. @default six hours */
  readonly deadlineMs?: number;
  readonly onProgress?: (progress: {
    readonly pods: number;
    readonly of: number;
    readonly round: number;
  }) => void;
}

interface PodOfJob extends KubeObject {
  readonly status?: { readonly phase?: string };
}
interface JobObject extends KubeObject {
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly message?: string;
    }[];
  };
}

const indexAnnotation = "batch.kubernetes.io/job-completion-index";
const pollMs = 1000;
const deadlineMsDefault = 6 * 3_600_000;
/** Ranges whose result was lost with a pod are run again so often. */
const roundsMax = 3;

/**
 * Runs a campaign as indexed Jobs, one pod for each range, and joins what they print. A range whose
 * result is not whole is run again: the joined part is that of the same campaign run in one place.
 *
 * @throws E_CAMPAIGN when ranges are missing after all rounds, or the image is of another version.
 */
export async function runCampaignOnKubernetes(
  options: KubernetesCampaignOptions,
): Promise<CampaignPart> {
  const { range, pods, onProgress } = options;
  let missing = splitRange(range, pods);
  const parts: CampaignPart[] = [];
  let problem = "";
  for (let round = 1; round <= roundsMax && missing.length > 0; round++) {
    const done = parts.length;
    const of = done + missing.length;
    const job = new CampaignJobRun(options, missing, round, (found) => {
      onProgress?.({ pods: done + found, of, round });
    });
    const found = await job.carryOut();
    parts.push(...found.parts.values());
    missing = missing.filter((_, place) => !found.parts.has(place));
    problem = found.problem;
  }
  if (missing.length > 0) {
    const which = missing.map(({ from, to }) => `${from}:${to}`).join(", ");
    throw campaignError(`the runs ${which} were not made in ${roundsMax} rounds: ${problem}`);
  }
  return joinParts(parts);
}

class CampaignJobRun {
  readonly #options: KubernetesCampaignOptions;
  readonly #ranges: readonly RunRange[];
  readonly #name: string;
  readonly #onPart: (found: number) => void;
  readonly #parts = new Map<number, CampaignPart>();
  #problem = "";

  constructor(
    options: KubernetesCampaignOptions,
    ranges: readonly RunRange[],
    round: number,
    onPart: (found: number) => void,
  ) {
    this.#options = options;
    this.#ranges = ranges;
    this.#name = `${options.campaign}-${round}`;
    this.#onPart = onPart;
  }

  async carryOut(): Promise<{
    readonly parts: ReadonlyMap<number, CampaignPart>;
    readonly problem: string;
  }> {
    const { client, namespace, clock, signal, deadlineMs = deadlineMsDefault } = this.#options;
    await client.create(resourceTypes.jobs, this.#manifest(deadlineMs), { signal });
    try {
      const endMs = clock.monotonicMs() + deadlineMs;
      while (this.#parts.size < this.#ranges.length) {
        // The end of the Job is looked at first: what is read after it is all there will be.
        const isOver = await this.#isOver();
        await this.#gather();
        if (isOver || clock.monotonicMs() >= endMs) break;
        await sleep(clock, pollMs, signal);
      }
      return { parts: this.#parts, problem: this.#problem || "the time was up" };
    } finally {
      await ignoreMissing(
        client.delete(
          resourceTypes.jobs,
          { namespace, name: this.#name },
          { propagation: "Background" },
        ),
      );
    }
  }

  #manifest(deadlineMs: number): KubeObject {
    const { campaign, namespace, image, command, imagePullPolicy, seed } = this.#options;
    return campaignJob({
      name: this.#name,
      campaign,
      namespace,
      image,
      ...(command === undefined ? {} : { command }),
      ...(imagePullPolicy === undefined ? {} : { imagePullPolicy }),
      seed,
      ranges: this.#ranges,
      cpu: this.#options.cpu ?? "1",
      memory: this.#options.memory ?? "1Gi",
      deadlineSeconds: Math.ceil(deadlineMs / 1000),
    });
  }

  async #isOver(): Promise<boolean> {
    const { client, namespace, signal } = this.#options;
    const ref = { namespace, name: this.#name };
    const { status } = await client.get<JobObject>(resourceTypes.jobs, ref, { signal });
    const over = status?.conditions?.find(
      ({ type, status: is }) => is === "True" && (type === "Complete" || type === "Failed"),
    );
    if (over?.type === "Failed") this.#problem = over.message ?? "the Job failed";
    return over !== undefined;
  }

  async #gather(): Promise<void> {
    const { client, namespace, campaign, signal } = this.#options;
    const { items } = await listAll<PodOfJob, PodOfJob>(client, resourceTypes.pods, {
      namespace,
      labelSelector: `${campaignLabel}=${campaign},batch.kubernetes.io/job-name=${this.#name}`,
      project: (pod) => pod,
      signal,
    });
    for (const { metadata, status } of items) {
      const place = Number(metadata.annotations?.[indexAnnotation] ?? -1);
      if (status?.phase !== "Succeeded" || this.#parts.has(place)) continue;
      const part = await this.#read(metadata.name ?? "", place);
      if (part === undefined) continue;
      this.#parts.set(place, part);
      this.#onPart(this.#parts.size);
    }
  }

  /** Undefined when the log is not there, or not whole: its node may be gone. */
  async #read(pod: string, place: number): Promise<CampaignPart | undefined> {
    const { client, namespace, seed, signal } = this.#options;
    let log: string;
    try {
      log = await client.logs({ namespace, name: pod }, { signal });
    } catch (error) {
      signal.throwIfAborted();
      this.#problem = `the log of ${pod} cannot be read: ${messageOf(error)}`;
      return undefined;
    }
    const part = partFromLog(log);
    const range = this.#ranges[place];
    if (part === undefined || range === undefined || !holds(part, seed, range)) {
      this.#problem = `the result in the log of ${pod} is not whole`;
      return undefined;
    }
    if (part.version === version) return part;
    throw campaignError(`the image is version ${part.version}, and this is ${version}`);
  }
}

/** Whether a part has exactly the runs of a range. */
export function holds(part: CampaignPart, seed: string, { from, to }: RunRange): boolean {
  return (
    part.seed === seed &&
    part.runs.length === to - from &&
    part.runs.every(({ index }, at) => index === from + at)
  );
}

function campaignError(problem: string): TesseraError<"E_CAMPAIGN"> {
  return new TesseraError("E_CAMPAIGN", { problem });
}

async function ignoreMissing(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
