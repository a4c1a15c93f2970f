import type { Semaphore } from "../../platform/concurrency/index.ts";
import { TesseraError } from "../../platform/errors/index.ts";
import { type Caller, roleAllows } from "../../platform/http/index.ts";
import { randomSeed } from "../../platform/rng/index.ts";
import type {
  ExperimentDetailView,
  ExperimentEventsView,
  ExperimentListQuery,
  ExperimentListView,
  ExperimentPlanView,
  ExperimentPreset,
  ExperimentRow,
  ExperimentsPort,
  ReproducerView,
  StartExperiment,
} from "../api/experiments.ts";
import type { RequireOwnRight } from "../faults/own-rights.ts";
import type { ServiceContext } from "../service.ts";
import type { ExperimentJob, ExperimentWorker } from "./carry-out.ts";
import { cursorBefore, numberBefore } from "./cursor.ts";
import type { ExperimentBook, WholeRow } from "./experiment-book.ts";
import type { ExperimentNotes } from "./experiment-notes.ts";
import type { JobQueue } from "./job-queue.ts";
import { unpackReport } from "./packed-report.ts";
import { checkRefusals, planRequest } from "./plan-request.ts";
import { faultNames } from "./plan-view.ts";
import { readPresets } from "./presets.ts";
import { newSearch, reproducerEnd, reproducerUnderWay } from "./reproducer.ts";
import { type ExperimentSettings, type ExperimentWorld, worldsView } from "./settings.ts";
import { detailView, isOver, reproducerOf, rowView } from "./views.ts";

export interface ExperimentsOptions {
  readonly context: ServiceContext;
  readonly settings: ExperimentSettings;
  readonly book: ExperimentBook;
  readonly queue: JobQueue;
  readonly worker: ExperimentWorker;
  readonly notes: ExperimentNotes;
  readonly planning: Semaphore;
  readonly requireRight: RequireOwnRight;
  /** This process among those that share the store. */
  readonly holder: string;
}

const list = "/api/v1/experiments";
const stopsRuns = "inject";

/** Experiments as the API sees them. */
export class Experiments implements ExperimentsPort {
  readonly #options: ExperimentsOptions;
  #presets: Promise<readonly ExperimentPreset[]> | undefined;

  constructor(options: ExperimentsOptions) {
    this.#options = options;
  }

  async list(query: ExperimentListQuery): Promise<ExperimentListView> {
    const { book, settings } = this.#options;
    // One more than asked for tells whether there is a next page.
    const found = await book.list({ ...query, limit: query.limit + 1 }, numberBefore(query.cursor));
    const rows = found.slice(0, query.limit);
    const last = rows.at(-1);
    const next = found.length > rows.length && last !== undefined ? cursorBefore(last.seq) : null;
    return { experiments: rows.map(rowView), next, worlds: worldsView(settings) };
  }

  presets(): Promise<readonly ExperimentPreset[]> {
    const { presetsDir, log } = this.#options.context;
    if (presetsDir === undefined) return Promise.resolve([]);
    this.#presets ??= readPresets(presetsDir, (err, file) =>
      log.warn({ err, file }, "a preset cannot be read"),
    ).catch((err: unknown) => {
      log.warn({ err }, "presets cannot be read");
      this.#presets = undefined;
      return [];
    });
    return this.#presets;
  }

  plan(request: StartExperiment, by: Caller, signal: AbortSignal): Promise<ExperimentPlanView> {
    return this.#plan(request, { by, verb: "plan" }, signal);
  }

  async start(request: StartExperiment, by: Caller, signal: AbortSignal): Promise<ExperimentRow> {
    const { queue } = this.#options;
    const plan = await this.#plan(request, { by, verb: "inject" }, signal);
    checkRefusals(plan);
    // Whoever was told that there is no answer may ask again: then it must not run twice.
    signal.throwIfAborted();
    const place = queue.claim();
    try {
      const job = await this.#writeDown(request.text, plan, by.name);
      const { worker, notes } = this.#options;
      const dropped = (reason: string) =>
        notes.conclude(job, { state: "stopped", outcome: "inconclusive", reason });
      if (signal.aborted) {
        await dropped("its request ran out of time before it began");
        signal.throwIfAborted();
      }
      place.begin({ id: job.id, run: (signal) => worker.run(job, signal), drop: dropped });
      return await this.#row(job.id);
    } finally {
      place.release();
    }
  }

  async experiment(id: string): Promise<ExperimentDetailView> {
    const row = await this.#whole(id);
    return detailView(row, await this.#options.book.eventsTotal(row.seq));
  }

  async events(
    id: string,
    query: { readonly after: number; readonly limit: number },
  ): Promise<ExperimentEventsView> {
    const { book } = this.#options;
    // The state first: what happens after it is in the events, and asked for again.
    const row = await book.brief(id);
    if (row === undefined) throw unknownExperiment(id);
    const events = await book.events(row.seq, query);
    const last = events.at(-1)?.seq ?? query.after;
    const isLastPage = events.length < query.limit;
    return { events: [...events], last, isOver: isOver(rowView(row)) && isLastPage };
  }

  async stop(id: string, by: Pick<Caller, "name" | "role">): Promise<ExperimentRow> {
    const { book, queue, context } = this.#options;
    const row = await this.#row(id);
    const reason = `stopped by ${by.name}`;
    if (isOver(row)) {
      await this.#stopSearch(id, reason);
      return row;
    }
    if (!roleAllows(by.role, stopsRuns)) {
      const route = `POST ${list}/:id/stop of an experiment that runs`;
      const about = { needed: stopsRuns, held: by.role, token: by.name };
      throw new TesseraError("E_ROLE_INSUFFICIENT", { route, ...about });
    }
    if (await book.askToStop(id, reason)) {
      context.hub.publish("experiment.changed", { id, state: "stopping", outcome: null });
      // Where another process runs it, that one reads it in the store.
      queue.stop(id, reason);
    }
    return this.#row(id);
  }

  /** Of a smaller one that fails the same way. Where another process makes it, that one reads it in the store. */
  async #stopSearch(id: string, reason: string): Promise<void> {
    const { book, queue, context } = this.#options;
    const ended = reproducerEnd({ made: undefined, runs: 0, problem: reason });
    if (!(await book.endReproducer(id, ended))) return;
    context.hub.publish("experiment.changed", { id });
    queue.stop(id, reason);
  }

  async minimise(id: string): Promise<ReproducerView> {
    const { queue, worker, notes, book, holder, context } = this.#options;
    const row = await this.#whole(id);
    const known = reproducerOf(row);
    if (known.state === "running" || known.state === "done") return known;
    const problem = whyNotSmaller(row);
    if (problem !== undefined) throw new TesseraError("E_EXPERIMENT_STATE", { id, problem });
    const place = queue.claim();
    try {
      const [search, begun] = [newSearch(), reproducerUnderWay(0)];
      const by = { holder, nowMs: context.clock.nowMs() };
      const isOurs = await book.beginReproducer(id, { search, view: begun }, by);
      // Somebody was asked for the same at the same time.
      if (!isOurs) return reproducerOf(await this.#whole(id));
      const job = { ...jobOf(row), search };
      place.begin({
        id,
        run: (signal) => worker.minimise(job, signal),
        drop: (problem) => {
          const view = reproducerEnd({ made: undefined, runs: 0, problem });
          return notes.concludeSearch(id, { search, view });
        },
      });
      return begun;
    } finally {
      place.release();
    }
  }

  async report(id: string): Promise<string> {
    const packed = await this.#options.book.report(id);
    if (packed === undefined) throw unknownExperiment(id);
    if (packed !== null) return unpackReport(packed);
    const { state } = await this.#row(id);
    const problem = `it is ${state} and has no report`;
    throw new TesseraError("E_EXPERIMENT_STATE", { id, problem });
  }

  /** Hardware is broken with this server's right at the fault API: so whoever asks must have one too. */
  #plan(
    request: StartExperiment,
    { by, verb }: { readonly by: Caller; readonly verb: "plan" | "inject" },
    signal: AbortSignal,
  ): Promise<ExperimentPlanView> {
    const { requireRight } = this.#options;
    const requireHardware = (namespace: string) => requireRight(by, verb, () => namespace);
    return planRequest(request, this.#options, { signal, requireHardware });
  }

  async #writeDown(text: string, plan: ExperimentPlanView, by: string): Promise<ExperimentJob> {
    const { book, context, holder, settings } = this.#options;
    const nowMs = context.clock.nowMs();
    const { title, world, seed } = plan;
    const id = `x${nowMs.toString(36)}${randomSeed()
      .replaceAll(/[^0-9a-z]/gi, "")
      .slice(0, 6)}`;
    const row = {
      id: id.toLowerCase(),
      title,
      world,
      seed,
      state: "waiting",
      outcome: null,
      reason: null,
      faults: JSON.stringify(faultNames(plan)),
      started_by: by,
      started_at: nowMs,
      ended_at: null,
      holder,
      seen_at: nowMs,
      phase: null,
      text,
      plan: JSON.stringify(plan),
      detail: null,
      report: null,
      reproducer: null,
    };
    const seq = await book.add(row, settings.keep);
    return { id: row.id, seq, text, world, seed };
  }

  async #row(id: string): Promise<ExperimentRow> {
    const row = await this.#options.book.brief(id);
    if (row === undefined) throw unknownExperiment(id);
    return rowView(row);
  }

  async #whole(id: string): Promise<WholeRow> {
    const row = await this.#options.book.whole(id);
    if (row === undefined) throw unknownExperiment(id);
    return row;
  }
}

function unknownExperiment(id: string): TesseraError {
  return new TesseraError("E_NOT_FOUND", { kind: "experiment", id, list });
}

function jobOf({ id, seq, text, world, seed }: WholeRow): ExperimentJob {
  return { id, seq, text, world: world as ExperimentWorld, seed };
}

function whyNotSmaller({ state, outcome, world }: WholeRow): string | undefined {
  if (state !== "finished") return `it is ${state}; only what has finished can be made smaller`;
  if (outcome !== "fail") return `its outcome is ${outcome}; there is no failure to make smaller`;
  return world === "sim" ? undefined : `it ran in the world ${world}; only simulated runs repeat`;
}
