import { messageOf } from "../../platform/errors/index.ts";
import { formatDurationMs } from "../../platform/units/index.ts";
import type { ServiceContext } from "../service.ts";
import { childVariables } from "./child/child-env.ts";
import type { EveryOrder } from "./child/every-order.ts";
import { inFolder, readMade, readRun } from "./child/in-folder.ts";
import type { ChildLine, ChildOrder } from "./child/orders.ts";
import { type ChildEnd, runChild } from "./child/run-child.ts";
import { EventFeed } from "./event-feed.ts";
import { type ExperimentBook, eventsKept } from "./experiment-book.ts";
import type { ExperimentChange } from "./experiment-change.ts";
import type { ExperimentNotes } from "./experiment-notes.ts";
import { hostOf } from "./holder.ts";
import { LiveInjections } from "./live-injections.ts";
import { memoryLimitOf } from "./memory.ts";
import { packReport } from "./packed-report.ts";
import { reproducerEnd, reproducerUnderWay } from "./reproducer.ts";
import type { ExperimentSettings, ExperimentWorld } from "./settings.ts";

export interface CarryOutOptions {
  readonly context: Pick<ServiceContext, "command" | "clock" | "log" | "config" | "hub">;
  readonly book: ExperimentBook;
  readonly settings: ExperimentSettings;
  /** What a child sees on top of some of this process's variables. */
  readonly childEnv: () => Promise<Readonly<Record<string, string | undefined>>>;
  readonly everyOrder: EveryOrder;
  readonly notes: ExperimentNotes;
  /** This process among those that share the store. */
  readonly holder: string;
}

/** One experiment, as it is written down. */
export interface ExperimentJob {
  readonly id: string;
  readonly seq: number;
  readonly text: string;
  readonly world: ExperimentWorld;
  readonly seed: string;
}

/** A search for a smaller one that fails the same way, of an experiment that was written down. */
export interface SearchJob extends ExperimentJob {
  readonly search: string;
}

type PlanLine = Extract<ChildLine, { line: "plan" }>;

/** What happened to a child, and why it was asked to end, if it was. */
interface Carried {
  readonly end: ChildEnd;
  readonly stopReason: string | undefined;
}

/** As many as `tessera chaos minimize` makes unless told. */
export const minimiseRunsMax = 80;
const recoverMs = 60_000;
/** A simulated run has nothing to undo; a real one must have the time for it. */
export const graceMs: Readonly<Record<ExperimentWorld, number>> = {
  sim: 2_000,
  host: 60_000,
  kubernetes: 120_000,
  slurm: 120_000,
};

/** Has experiments carried out by processes of this program, and writes down what comes of them. */
export class ExperimentWorker {
  readonly #options: CarryOutOptions;
  readonly #closed = new AbortController();

  constructor(options: CarryOutOptions) {
    this.#options = options;
  }

  /** Runs one to its end. Never rejects. */
  async run(job: ExperimentJob, signal: AbortSignal): Promise<void> {
    const { context, book, notes, holder } = this.#options;
    const { id, seq } = job;
    const feed = new EventFeed({
      clock: context.clock,
      heldMax: eventsKept,
      write: async (events) => {
        await book.addEvents(seq, events);
        await course.keep();
      },
      onWritten: (last) => context.hub.publish("experiment.event", { id, seq: last }),
      onProblem: (err) => context.log.warn({ err, experiment: id }, "events could not be kept"),
    });
    const course = new LiveInjections(async (injections) => {
      await book.change(id, { course: injections }, holder);
    });
    // One after the other, so that the last word stays.
    let noted: Promise<unknown> = notes.note(id, { state: "running" });
    const note = (change: ExperimentChange) => {
      noted = noted.then(() => notes.note(id, change));
    };
    const onLine = (line: ChildLine) => {
      if (line.line === "event") feed.add(line.event);
      else if (line.line === "injection") course.add(line.injection);
      else if (line.line === "phase") note({ phase: line.phase });
      else if (line.line === "plan") note({ plan: line.plan });
    };
    const change = await this.#runInFolder(job, signal, onLine).catch(
      (error: unknown): ExperimentChange => ({ state: "failed", reason: messageOf(error) }),
    );
    await feed.close();
    await noted;
    await notes.conclude(job, change);
  }

  /** Looks for the smallest that fails the same way. Never rejects. */
  async minimise(job: SearchJob, signal: AbortSignal): Promise<void> {
    const { id, search } = job;
    const { context, notes } = this.#options;
    let runs = 0;
    const onLine = (line: ChildLine) => {
      if (line.line === "attempt") runs = line.runs;
    };
    await notes.note(id, { reproducer: { search, view: reproducerUnderWay(runs) } });
    // The child of one that was stopped may still be there when the next one begins.
    const name = `${id}-minimise-${search}`;
    const view = await inFolder(context.config.dataDir, name, async (folder) => {
      const order = {
        kind: "minimise",
        ...orderOf(job),
        folder,
        runsMax: minimiseRunsMax,
      } as const;
      const { end, stopReason } = await this.#carryOut(order, signal, onLine);
      const made = end.how === "done" ? await readMade(folder) : undefined;
      return reproducerEnd({ made, runs, problem: stopReason ?? problemOf(end) });
    }).catch((error: unknown) => {
      return reproducerEnd({ made: undefined, runs, problem: messageOf(error) });
    });
    await notes.concludeSearch(id, { search, view });
  }

  /** Nobody waits for plans any more. */
  close(reason: string): void {
    this.#closed.abort(reason);
  }

  /** What would happen, as long as somebody wants to know, and no longer than `limitMs`. */
  async plan(
    order: Omit<Extract<ChildOrder, { kind: "plan" }>, "kind" | keyof EveryOrder>,
    { signal, limitMs }: { readonly signal: AbortSignal; readonly limitMs: number },
  ): Promise<{ readonly end: ChildEnd; readonly planned: PlanLine | undefined }> {
    let planned: PlanLine | undefined;
    const { end } = await this.#carryOut(
      { kind: "plan", ...order },
      AbortSignal.any([this.#closed.signal, signal]),
      (line) => {
        if (line.line === "plan") planned = line;
      },
      limitMs,
    );
    return { end, planned };
  }

  /**
   * Takes back what an experiment left in force whose process is gone. Never rejects.
   *
   * @param about who held it, where that was not this process; the signal ends it early
   * @returns why the process's end was not the end of it, for people; empty: it was
   */
  async takeBack(
    { id, world, text }: Pick<ExperimentJob, "id" | "world" | "text">,
    about: { readonly from?: string; readonly signal?: AbortSignal } = {},
  ): Promise<string> {
    const { log } = this.#options.context;
    const { from = this.#options.holder, signal = new AbortController().signal } = about;
    const host = hostOf(from);
    if (world === "host" && host !== hostOf(this.#options.holder)) {
      return `; what it broke may still be in force on ${host}`;
    }
    try {
      if (world === "host") await this.#takeBackOnHost();
      if (world === "kubernetes" || world === "slurm") await this.#takeBackInCluster(text, signal);
      return "";
    } catch (err) {
      log.error({ err, experiment: id }, "faults of an experiment could not be taken back");
      return `; what it broke could not be taken back: ${messageOf(err)}`;
    }
  }

  async #takeBackOnHost(): Promise<void> {
    const { clock, log } = this.#options.context;
    const { hostFolderDefault, recoverHost } = await import("../../chaos/host/index.ts");
    const count = await recoverHost(hostFolderDefault(), clock);
    if (count > 0) log.info({ count }, "faults of an interrupted experiment were taken back");
  }

  async #takeBackInCluster(text: string, signal: AbortSignal): Promise<void> {
    const order = { kind: "recover", text } as const;
    const { end } = await this.#carryOut(order, signal, () => {}, recoverMs);
    if (end.how !== "done") throw new Error(problemOf(end));
  }

  async #runInFolder(
    job: ExperimentJob,
    signal: AbortSignal,
    onLine: (line: ChildLine) => void,
  ): Promise<ExperimentChange> {
    const { dataDir } = this.#options.context.config;
    return inFolder(dataDir, job.id, async (folder) => {
      const order = { kind: "run", ...orderOf(job), folder } as const;
      const { end, stopReason } = await this.#carryOut(order, signal, onLine);
      const left = end.how === "gone" ? await this.takeBack(job) : "";
      const run = end.how === "done" ? await readRun(folder) : undefined;
      const kept =
        run === undefined ? {} : { detail: run.detail, report: await packReport(run.html) };
      if (stopReason !== undefined) {
        const reason = `${stopReason}${left}`;
        return { ...kept, state: "stopped", outcome: "inconclusive", reason };
      }
      if (run === undefined) {
        const reason = `${problemOf(end)}${left}`;
        return { state: end.how === "gone" ? "interrupted" : "failed", reason };
      }
      const { outcome, reason } = run.detail;
      return { ...kept, state: "finished", outcome, reason };
    });
  }

  async #carryOut(
    order: ChildOrder,
    signal: AbortSignal,
    onLine: (line: ChildLine) => void,
    limitMs: number = this.#options.settings.timeLimitMs,
  ): Promise<Carried> {
    const { context, childEnv, everyOrder, settings } = this.#options;
    const { command, clock } = context;
    const late = new AbortController();
    const timer = clock.setTimer(limitMs, () => {
      late.abort(`stopped after ${formatDurationMs(limitMs)}, the longest it may take`);
    });
    const both = AbortSignal.any([signal, late.signal]);
    try {
      const env = await childEnv();
      const grace = "folder" in order ? graceMs[order.world] : graceMs.sim;
      const end = both.aborted
        ? ({ how: "gone", reason: "it was stopped before it began" } as const)
        : await runChild(
            { ...order, ...everyOrder },
            {
              command,
              clock,
              env,
              envInherit: childVariables(Object.keys(process.env), settings.worlds),
              signal: both,
              graceMs: grace,
              memoryLimitBytes: memoryLimitOf(order, settings),
              onLine,
            },
          );
      return { end, stopReason: both.aborted ? String(both.reason) : undefined };
    } finally {
      timer.cancel();
    }
  }
}

function orderOf({ text, world, seed }: ExperimentJob) {
  return { text, world, seed };
}

function problemOf(end: ChildEnd): string {
  if (end.how === "done") return "it left no result";
  return end.how === "failed" ? end.message : end.reason;
}
