import { TesseraError } from "../../../platform/errors/index.ts";
import { isNotFound, type KubeObject, resourceTypes } from "../../../platform/kube/index.ts";
import { sleep } from "../../../platform/time/index.ts";
import type { CampaignPart } from "../campaign-part.ts";
import { holdsRanges, nameRanges, type RunRanges } from "../spread/index.ts";
import { campaignJob, campaignLabel } from "./campaign-job.ts";
import { deleteJob } from "./earlier-jobs.ts";
import { endedPods, readPodResult } from "./pod-results.ts";
import type { KubernetesCampaignOptions } from "./run-on-kubernetes.ts";

interface JobObject extends KubeObject {
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly message?: string;
    }[];
  };
}

const pollMs = 1000;
const deadlineMsDefault = 6 * 3_600_000;

/** One indexed Job, from its beginning to its end. */
export class CampaignJobRun {
  readonly #options: KubernetesCampaignOptions;
  readonly #ranges: readonly RunRanges[];
  readonly #name: string;
  readonly #onPart: (part: CampaignPart) => Promise<void>;
  /** Indexes of the Job whose result is here. */
  readonly #done = new Set<number>();
  #problem = "";

  constructor(
    options: KubernetesCampaignOptions,
    about: { readonly ranges: readonly RunRanges[]; readonly name: string },
    onPart: (part: CampaignPart) => Promise<void>,
  ) {
    this.#options = options;
    this.#ranges = about.ranges;
    this.#name = about.name;
    this.#onPart = onPart;
  }

  /** @returns the ranges whose result did not come, and why. */
  async carryOut(): Promise<{ readonly missing: readonly RunRanges[]; readonly problem: string }> {
    const { client, namespace, clock, signal, deadlineMs = deadlineMsDefault } = this.#options;
    await client.create(resourceTypes.jobs, this.#manifest(deadlineMs), { signal });
    try {
      const endMs = clock.monotonicMs() + deadlineMs;
      while (this.#done.size < this.#ranges.length) {
        // The end of the Job is looked at first: what is read after it is all there will be.
        const isOver = await this.#isOver();
        await this.#gather();
        if (isOver || clock.monotonicMs() >= endMs) break;
        await sleep(clock, pollMs, signal);
      }
    } finally {
      await deleteJob(client, { namespace, name: this.#name });
    }
    const missing = this.#ranges.filter((_, place) => !this.#done.has(place));
    return { missing, problem: this.#problem || "the time was up" };
  }

  #manifest(deadlineMs: number): KubeObject {
    const { campaign, namespace, image, command, imagePullPolicy, seed, pods } = this.#options;
    return campaignJob({
      name: this.#name,
      campaign,
      namespace,
      image,
      ...(command === undefined ? {} : { command }),
      ...(imagePullPolicy === undefined ? {} : { imagePullPolicy }),
      seed,
      ranges: this.#ranges,
      pods,
      cpu: this.#options.cpu ?? "1",
      memory: this.#options.memory ?? "1Gi",
      deadlineSeconds: Math.ceil(deadlineMs / 1000),
    });
  }

  async #isOver(): Promise<boolean> {
    const { status } = await this.#job();
    const over = status?.conditions?.find(
      ({ type, status: is }) => is === "True" && (type === "Complete" || type === "Failed"),
    );
    if (over?.type === "Failed") this.#problem = over.message ?? "the Job failed";
    return over !== undefined;
  }

  async #job(): Promise<JobObject> {
    const { client, namespace, signal } = this.#options;
    const ref = { namespace, name: this.#name };
    try {
      return await client.get<JobObject>(resourceTypes.jobs, ref, { signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      const problem = `the Job ${this.#name} was deleted, by a person or a later start of this campaign`;
      throw new TesseraError("E_CAMPAIGN", { problem });
    }
  }

  async #gather(): Promise<void> {
    const { client, namespace, campaign, seed, signal } = this.#options;
    const labelSelector = `${campaignLabel}=${campaign},batch.kubernetes.io/job-name=${this.#name}`;
    for (const { name, place } of await endedPods(client, { namespace, labelSelector }, signal)) {
      const ranges = this.#ranges[place];
      if (ranges === undefined || this.#done.has(place)) continue;
      const part = await readPodResult(client, { namespace, name }, seed, signal);
      if ("problem" in part) {
        this.#problem = part.problem;
      } else if (holdsRanges(part, seed, ranges)) {
        await this.#onPart(part);
        this.#done.add(place);
      } else {
        this.#problem = `the log of ${name} has other runs than ${nameRanges(ranges)}`;
      }
    }
  }
}
