import type { SlurmJob, SlurmNode } from "../../platform/slurm/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import { Moments } from "../command/moments.ts";
import { ProgressBook } from "../command/progress-book.ts";
import {
  type Deed,
  type LiveJob,
  type LookContext,
  type Readiness,
  type ReadinessBook,
  StepTimes,
} from "../live/index.ts";
import type { PlannedFault, SlurmWorkload, Target, Trigger } from "../plan/index.ts";
import type { JobEvent } from "../record/index.ts";
import { type DeedContext, deedsOf, targetText } from "./deeds/index.ts";
import type { SlurmView } from "./job-watch.ts";
import { findLeftovers } from "./leftovers.ts";
import type { OutputTail } from "./output-tail.ts";
import { isByName, isOver, isRunning, jobText, runOf } from "./pick-job.ts";

export interface WatchedJobParts {
  readonly workload: SlurmWorkload;
  readonly context: DeedContext;
  readonly clock: Clock;
  /** How it was when the run began. */
  readonly first: SlurmView;
  readonly tail: OutputTail | undefined;
}

/** Over at so many looks in a row: nobody puts it back. */
const overLooks = 3;

/** A job that somebody else runs. */
export class WatchedJob implements LiveJob {
  readonly world = "slurm";
  readonly atStart = "the job at the start";
  readonly hasProgress: boolean;
  readonly #parts: WatchedJobParts;
  readonly #moments: Moments;
  readonly #progress: ProgressBook;
  readonly #times = new StepTimes();
  /** Where what the job tells goes while its lines are read. */
  #into:
    | { readonly book: ReadinessBook; readonly atUs: number; readonly isOld: boolean }
    | undefined;
  #last: Readiness;
  #job: SlurmJob | undefined;
  #overLooks = 0;
  #lines = 0;
  #lastStep = 0;
  /** The generation of the last step that was told. */
  #stepGeneration = 0;
  /** The generation at the last reading. */
  #readGeneration = 1;

  constructor(parts: WatchedJobParts) {
    this.#parts = parts;
    this.hasProgress = parts.tail !== undefined;
    this.#moments = new Moments(parts.clock);
    this.#progress = new ProgressBook((event) => this.#told(event));
    this.#job = parts.first.job;
    this.#last = readinessOf(parts.first);
  }

  get digest(): string | null {
    return this.#progress.digest;
  }

  deedsOf(fault: PlannedFault): Promise<readonly Deed[]> {
    return deedsOf(fault, this.#parts.context);
  }

  targetText(target: Target): string {
    return targetText(target);
  }

  first(): Readiness {
    return this.#last;
  }

  async look({ book, nowUs, signal }: LookContext): Promise<boolean> {
    const view = await this.#view();
    signal.throwIfAborted();
    if (view !== undefined) {
      this.#last = readinessOf(view);
      this.#job = view.job;
      this.#overLooks = view.job === undefined || isOver(view.job) ? this.#overLooks + 1 : 0;
      book.looked(this.#last, nowUs());
    }
    await this.#readLines(book, nowUs);
    return view !== undefined;
  }

  /** Of a job that tells of its steps, one must have come since it began again. */
  isBack({ wholeLooks, generation }: ReadinessBook, sinceUs: number): boolean {
    return wholeLooks > 0 && (!this.hasProgress || this.#times.hasStep(generation, sinceUs));
  }

  moment(trigger: Trigger, signal: AbortSignal): Promise<void> {
    return this.#moments.wait(trigger, signal);
  }

  ending() {
    const { workload } = this.#parts;
    if (this.#overLooks < overLooks) return undefined;
    const job = this.#job;
    if (job?.state === "COMPLETED") {
      return { end: "finished", reason: `${jobText(job)} came to its end` } as const;
    }
    // Whoever is known by name may be handed in again.
    if (isByName(workload)) return undefined;
    const reason =
      job === undefined
        ? `Slurm no longer knows job ${workload.job}`
        : `${jobText(job)} ended as ${job.state}, and nobody put it back into the queue`;
    return { end: "gave-up", reason } as const;
  }

  async marked(): Promise<readonly string[]> {
    const { client, run } = this.#parts.context;
    const all = await findLeftovers(client);
    return all.flatMap((one) => (one.run === run ? [`node ${one.node}`] : []));
  }

  aboutSteps(): string {
    return this.hasProgress
      ? `${this.#lines} lines of progress were read from the job's output`
      : "a step is a look at which the job was running; its units are the nodes it held";
  }

  /** Whoever cannot be asked says nothing: the look is left out, and the gap shows. */
  async #view(): Promise<SlurmView | undefined> {
    try {
      return await this.#parts.context.watch.look();
    } catch {
      return undefined;
    }
  }

  async #readLines(book: ReadinessBook, nowUs: () => number): Promise<void> {
    const beganUs = nowUs();
    const lines = await this.#parts.tail?.newLines();
    if (lines === undefined) return;
    this.#times.read(beganUs);
    const atUs = nowUs();
    // What is read when a new run was just found was written by the one before, as far as anybody knows.
    const isOld = this.#readGeneration !== book.generation;
    for (const line of lines) {
      this.#lines++;
      this.#into = { book, atUs, isOld };
      this.#progress.take(line, atUs);
      this.#into = undefined;
    }
    this.#readGeneration = book.generation;
  }

  #told(event: JobEvent): void {
    if (this.#into === undefined) return;
    const { book, atUs, isOld } = this.#into;
    if (event.kind !== "step") {
      book.put(event, atUs);
      return;
    }
    const { step } = event;
    if (this.#stepGeneration === book.generation && step < this.#lastStep) {
      const text = `the job went back from step ${this.#lastStep} to ${step}`;
      book.begunAgain({ ...this.#last, text }, atUs);
    }
    this.#lastStep = step;
    if (!isOld) {
      this.#stepGeneration = book.generation;
      this.#times.stepped(book.generation);
    }
    this.#moments.reached(step);
    book.put({ ...event, generation: book.generation }, atUs);
  }
}

/** A job that runs is whole, unless one of its nodes is down: Slurm ends it for that, a little later. */
export function readinessOf({ job, nodes }: SlurmView): Readiness {
  if (job === undefined) return { ready: 0, isWhole: false, text: "Slurm knows no such job" };
  const run = runOf(job);
  if (!isRunning(job)) {
    const state = [job.state, ...job.flags].join("+");
    return { ready: 0, isWhole: false, run, text: `${jobText(job)} is ${state}` };
  }
  const down = downOf(job, nodes);
  const ready = job.nodes.length - down.length;
  if (down.length > 0) {
    return { ready, isWhole: false, run, text: `${jobText(job)} has lost ${down.join(", ")}` };
  }
  const text = `${jobText(job)} runs on ${job.nodes.join(", ")}`;
  return { ready, isWhole: true, run, text };
}

function downOf({ nodes: held }: SlurmJob, nodes: readonly SlurmNode[]): readonly string[] {
  const down = new Set(nodes.flatMap(({ name, state }) => (state === "DOWN" ? [name] : [])));
  return held.filter((name) => down.has(name));
}
