import { messageOf, TesseraError } from "../../../platform/errors/index.ts";
import type { SlurmJob } from "../../../platform/slurm/index.ts";
import { sleep } from "../../../platform/time/index.ts";
import { version } from "../../../version.ts";
import { type GatheredParts, holdsRanges, nameRanges, spanOf } from "../spread/index.ts";
import type { ArrayTask, CampaignArrays } from "./campaign-arrays.ts";
import type { CampaignFolder } from "./campaign-folder.ts";
import type { SlurmCampaignOptions } from "./run-on-slurm.ts";
import { taskFailure } from "./task-failure.ts";
import { type TaskState, taskState } from "./task-state.ts";

interface OpenTask {
  task: ArrayTask;
  losses: number;
  preemptions: number;
  completedAtMs: number | undefined;
  /** It ended without a result, and is not handed in again yet. */
  isLost: boolean;
}

/** Looking at files costs little; asking the controller for all its jobs does not. */
const lookEveryMs = 1000;
const askEveryMs = 5000;
/** A shared file system may show a file so long after another machine wrote it. */
const fileDelayMs = 60_000;
/** The controller may be away or not to be understood for so long, as while it is restarted or upgraded. */
const silenceMs = 10 * 60_000;
const deadlineMsDefault = 24 * 3_600_000;
/** A task is handed in again so often; one that users' jobs preempt more often, for it is to give way. */
const lossesMax = 3;
const preemptionsMax = 100;

/** Follows the tasks of a campaign until each has left its result. */
export class ArrayFollower {
  readonly #options: SlurmCampaignOptions;
  readonly #folder: CampaignFolder;
  readonly #arrays: CampaignArrays;
  readonly #gathered: GatheredParts;
  #open: OpenTask[] = [];
  /** Runs that open tasks have made, and what they wait for. */
  #progress = { made: 0, note: "" };
  /** The last look told nothing. */
  #isBlind = false;
  /** Since when no lost task could be handed in again. */
  #refusedSinceMs: number | undefined;

  constructor(
    options: SlurmCampaignOptions,
    about: {
      readonly folder: CampaignFolder;
      readonly arrays: CampaignArrays;
      readonly gathered: GatheredParts;
    },
  ) {
    this.#options = options;
    this.#folder = about.folder;
    this.#arrays = about.arrays;
    this.#gathered = about.gathered;
  }

  /** @throws E_CAMPAIGN */
  async follow(tasks: readonly ArrayTask[]): Promise<void> {
    const { clock, signal, deadlineMs = deadlineMsDefault } = this.#options;
    this.#open = tasks.map((task) => ({
      ...{ task, losses: 0, preemptions: 0 },
      ...{ completedAtMs: undefined, isLost: false },
    }));
    const startedMs = clock.monotonicMs();
    let heardMs = startedMs;
    let askAtMs = startedMs;
    while (this.#open.length > 0) {
      signal.throwIfAborted();
      const nowMs = clock.monotonicMs();
      // The controller is asked first: what is read after a task's end is all there will be of it.
      const isTime = nowMs >= askAtMs;
      const jobs = isTime ? await this.#ask(nowMs - heardMs >= silenceMs) : undefined;
      if (isTime) askAtMs = nowMs + askEveryMs;
      await this.#readFiles();
      if (jobs !== undefined) {
        heardMs = nowMs;
        await this.#look(jobs);
      }
      this.#report();
      if (this.#open.length === 0) break;
      if (nowMs - startedMs >= deadlineMs) throw this.#timeUp();
      await sleep(clock, lookEveryMs, signal);
    }
  }

  /**
   * Undefined while nobody can tell how the tasks are, unless that is no longer to be borne. Tasks go on
   * meanwhile: also when Slurm fails, as where others have handed in more jobs than can be listed, and while
   * its tools are exchanged.
   */
  async #ask(isLast: boolean): Promise<readonly SlurmJob[] | undefined> {
    try {
      const jobs = await this.#arrays.jobs(this.#options.signal);
      this.#isBlind = false;
      return jobs;
    } catch (error) {
      if (isLast || !mayPass(error)) throw error;
      const problem = isAway(error) ? "Slurm's controller does not answer" : messageOf(error);
      this.#progress = { ...this.#progress, note: problem };
      if (!this.#isBlind) this.#options.onProblem?.(`jobs cannot be looked at: ${problem}`);
      this.#isBlind = true;
      return undefined;
    }
  }

  async #readFiles(): Promise<void> {
    const { seed } = this.#options;
    const there = new Set((await this.#folder.partSpans()).map(({ from, to }) => `${from}:${to}`));
    const open: OpenTask[] = [];
    for (const one of this.#open) {
      const { ranges } = one.task;
      const span = spanOf(ranges);
      const isThere = there.has(`${span.from}:${span.to}`);
      const part = isThere ? await this.#folder.readPart(span) : undefined;
      if (part === undefined || !holdsRanges(part, seed, ranges)) {
        open.push(one);
      } else if (part.version === version) {
        await this.#gathered.add(part);
      } else {
        const problem = `slurm.program is version ${part.version}, and this is ${version}`;
        throw new TesseraError("E_CAMPAIGN", { problem });
      }
    }
    this.#open = open;
  }

  async #look(jobs: readonly SlurmJob[]): Promise<void> {
    let [made, running] = [0, 0];
    const waiting: string[] = [];
    for (const one of this.#open) {
      if (one.isLost) continue;
      const { arrayJobId, index } = one.task;
      const state = taskState(jobs, arrayJobId, index);
      if (state.kind === "runs") {
        running++;
        made += (await this.#folder.readNote(`${arrayJobId}_${index}`))?.done ?? 0;
      } else if (state.kind === "waits") {
        waiting.push(state.reason);
      } else {
        await this.#ended(one, state);
      }
    }
    const reasons = [...new Set(waiting.filter((reason) => reason !== ""))].join(", ");
    const why = reasons === "" ? "" : ` (${reasons})`;
    this.#progress = { made, note: `${running} tasks run, ${waiting.length} wait${why}` };
    await this.#findLost(jobs);
    // Tasks that are handed in again are an array of their own, which knows nothing of the limit.
    const isPlace = this.#options.atOnce === undefined || running + waiting.length === 0;
    if (isPlace) await this.#runAgain();
  }

  /** A task has ended, and its result is not here. */
  async #ended(
    one: OpenTask,
    state: Exclude<TaskState, { kind: "waits" | "runs" }> & { readonly nodes: readonly string[] },
  ): Promise<void> {
    const nowMs = this.#options.clock.monotonicMs();
    const fail = async (problem: string): Promise<never> => {
      throw await taskFailure(this.#folder, one.task, { problem, nodes: state.nodes });
    };
    if (state.kind === "failed") return fail(state.problem);
    if (state.kind === "completed") {
      one.completedAtMs ??= nowMs;
      if (nowMs - one.completedAtMs < fileDelayMs) return;
      const note = await this.#folder.readNote(`${one.task.arrayJobId}_${one.task.index}`);
      if (note === undefined) await fail("it ended well, and its result is not here");
    }
    if (state.kind === "preempted") one.preemptions++;
    else one.losses++;
    if (one.losses > lossesMax || one.preemptions > preemptionsMax) {
      const last = state.kind === "completed" ? "its result is not whole" : state.problem;
      await fail(`it was lost ${one.losses + one.preemptions} times, at last because ${last}`);
    }
    one.isLost = true;
  }

  /** What was handed in again without an answer may be in the queue all the same. */
  async #findLost(jobs: readonly SlurmJob[]): Promise<void> {
    const lost = this.#open.filter(({ isLost }) => isLost);
    const isOf = ({ task }: OpenTask, plan: string, index: number | undefined) =>
      task.plan === plan && task.index === index;
    const theirs = jobs.filter((job) =>
      lost.some((one) => isOf(one, this.#arrays.planOf(job), job.arrayTaskId)),
    );
    const { signal } = this.#options;
    if (theirs.length === 0) return;
    for (const task of await this.#arrays.adopt(theirs, this.#gathered.missing, signal)) {
      const one = lost.find((open) => isOf(open, task.plan, task.index));
      if (one !== undefined) follow(one, task.arrayJobId);
    }
  }

  async #runAgain(): Promise<void> {
    const lost = this.#open.filter(({ isLost }) => isLost);
    if (lost.length === 0) this.#refusedSinceMs = undefined;
    for (const plan of new Set(lost.map(({ task }) => task.plan))) {
      const ones = lost.filter(({ task }) => task.plan === plan);
      const indexes = ones.map(({ task }) => task.index);
      try {
        const arrayJobId = await this.#arrays.resubmit(plan, indexes, this.#options.signal);
        for (const one of ones) follow(one, arrayJobId);
        this.#refusedSinceMs = undefined;
      } catch (error) {
        this.#bearRefusal(error);
      }
    }
  }

  /**
   * The next look tries again, unless that is no longer to be borne. Other tasks go on meanwhile: also when
   * Slurm fails, as where its queue is full for a while.
   */
  #bearRefusal(error: unknown): void {
    const nowMs = this.#options.clock.monotonicMs();
    const sinceMs = this.#refusedSinceMs ?? nowMs;
    if (!mayPass(error) || nowMs - sinceMs >= silenceMs) throw error;
    if (this.#refusedSinceMs === undefined) {
      this.#options.onProblem?.(`lost tasks cannot be handed in again: ${messageOf(error)}`);
    }
    this.#refusedSinceMs = sinceMs;
  }

  #report(): void {
    const { range, onProgress } = this.#options;
    const { made, note } = this.#progress;
    const total = range.to - range.from;
    const done = Math.min(total, this.#gathered.done + made);
    onProgress?.({ done, total, note });
  }

  #timeUp(): TesseraError<"E_CAMPAIGN"> {
    const which = nameRanges(this.#open.flatMap(({ task }) => task.ranges));
    const { note } = this.#progress;
    return new TesseraError("E_CAMPAIGN", {
      problem: `the runs ${which} were not made in time; ${note}`,
    });
  }
}

function follow(one: OpenTask, arrayJobId: number): void {
  one.task = { ...one.task, arrayJobId };
  one.completedAtMs = undefined;
  one.isLost = false;
}

/** Also where its tools are gone or not understood, as while they are exchanged. A prohibition stays one. */
const passing: ReadonlySet<string> = new Set([
  "E_SLURM_UNREACHABLE",
  "E_SLURM_FAILED",
  "E_SLURM_MISSING",
  "E_SLURM_SHAPE",
]);

function mayPass(error: unknown): boolean {
  return error instanceof TesseraError && passing.has(error.code);
}

function isAway(error: unknown): boolean {
  return error instanceof TesseraError && error.code === "E_SLURM_UNREACHABLE";
}
