import { messageOf, TesseraError } from "../../../platform/errors/index.ts";
import type { SlurmClient, SlurmJob } from "../../../platform/slurm/index.ts";
import { version } from "../../../version.ts";
import type { RunRange, RunRanges } from "../spread/index.ts";
import { type ArrayJobOptions, arrayJob } from "./array-job.ts";
import type { ArrayPlan, CampaignFolder } from "./campaign-folder.ts";
import { isLive } from "./task-state.ts";

export interface CampaignArraysOptions
  extends Pick<
    ArrayJobOptions,
    "program" | "searchPath" | "seed" | "atOnce" | "timeLimitMs" | "partition" | "account" | "qos"
  > {
  readonly client: SlurmClient;
  /** Begins the names of the arrays; the same in every start of one campaign. */
  readonly campaign: string;
  /** Whose jobs count as ours. @default anybody's of that name */
  readonly user?: string | undefined;
}

/** A task of an array, as the one who waits for its result sees it. */
export interface ArrayTask {
  readonly ranges: RunRanges;
  /** Its place in its plan. */
  readonly index: number;
  readonly plan: string;
  readonly arrayJobId: number;
}

/** The arrays of one campaign: named after it and their plan, so that a later start knows them again. */
export class CampaignArrays {
  readonly #options: CampaignArraysOptions;
  readonly #folder: CampaignFolder;

  constructor(options: CampaignArraysOptions, folder: CampaignFolder) {
    this.#options = options;
    this.#folder = folder;
  }

  /** All jobs of the campaign that the controller remembers. */
  async jobs(signal?: AbortSignal): Promise<readonly SlurmJob[]> {
    const { client, user } = this.#options;
    const jobs = await client.jobs({
      tasks: true,
      ...(signal === undefined ? {} : { signal }),
      ...(user === undefined ? {} : { choice: { user } }),
    });
    return jobs.filter(
      (job) =>
        job.name.startsWith(`${this.#options.campaign}-`) &&
        (user === undefined || job.user === user),
    );
  }

  /** Hands in an array. @returns its tasks */
  async submit(tasks: readonly RunRanges[], signal: AbortSignal): Promise<readonly ArrayTask[]> {
    const { seed } = this.#options;
    // The plan is there before the job: whoever finds the job finds the plan.
    const plan = await this.#folder.writePlan({ version, seed, tasks: [...tasks] });
    const arrayJobId = await this.#submit(plan, tasks, [...tasks.keys()], signal);
    return tasks.map((ranges, index) => ({ ranges, index, plan, arrayJobId }));
  }

  /** Hands in tasks once more. @returns the number of the array that they now belong to */
  async resubmit(plan: string, indexes: readonly number[], signal: AbortSignal): Promise<number> {
    const tasks = (await this.#folder.readPlan(plan))?.tasks;
    if (tasks === undefined) {
      const problem = `the campaign's folder ${this.#folder.path} was removed while it ran`;
      throw new TesseraError("E_CAMPAIGN", { problem });
    }
    return this.#submit(plan, tasks, indexes, signal);
  }

  /**
   * Takes over tasks that nobody follows: of an earlier start, or of an array whose number never
   * came back. Those that make nothing that is needed, or whose plan nobody knows, are ended.
   */
  async adopt(
    jobs: readonly SlurmJob[],
    missing: readonly RunRange[],
    signal: AbortSignal,
  ): Promise<readonly ArrayTask[]> {
    const isNeeded = (ranges: RunRanges) =>
      ranges.some(({ from, to }) =>
        missing.some((stretch) => stretch.from < to && from < stretch.to),
      );
    const tasks: ArrayTask[] = [];
    const needless: string[] = [];
    for (const job of jobs.filter(isLive)) {
      const plan = this.planOf(job);
      const index = job.arrayTaskId;
      const made = this.#own(await this.#folder.readPlan(plan))?.tasks;
      const ranges = index === undefined ? undefined : made?.[index];
      const arrayJobId = job.arrayJobId ?? job.id;
      const isTwice = tasks.some((task) => task.plan === plan && task.index === index);
      if (index === undefined || ranges === undefined || isTwice || !isNeeded(ranges)) {
        needless.push(index === undefined ? `${arrayJobId}` : `${arrayJobId}_${index}`);
      } else {
        tasks.push({ ranges, index, plan, arrayJobId });
      }
    }
    if (needless.length > 0) await this.#options.client.cancel(needless, { signal });
    return tasks;
  }

  /** Ends all that is left. @returns why that could not be done, if so. */
  async cancelAll(): Promise<string | undefined> {
    try {
      const live = (await this.jobs()).filter(isLive);
      const ids = [...new Set(live.map(({ id, arrayJobId }) => `${arrayJobId ?? id}`))];
      if (ids.length > 0) await this.#options.client.cancel(ids);
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  }

  /** The plan that a job of the campaign is of. */
  planOf({ name }: SlurmJob): string {
    return name.slice(this.#options.campaign.length + 1);
  }

  #own(plan: ArrayPlan | undefined): ArrayPlan | undefined {
    return plan?.version === version && plan.seed === this.#options.seed ? plan : undefined;
  }

  async #submit(
    plan: string,
    tasks: readonly RunRanges[],
    indexes: readonly number[],
    signal: AbortSignal,
  ): Promise<number> {
    const { client, campaign, program, searchPath, seed, atOnce } = this.#options;
    const { timeLimitMs, partition, account, qos } = this.#options;
    const submission = arrayJob({
      ...{ name: `${campaign}-${plan}`, folder: this.#folder, program, searchPath, seed },
      ...{ tasks, indexes, atOnce, timeLimitMs, partition, account, qos },
    });
    return client.submit(submission, { signal });
  }
}
