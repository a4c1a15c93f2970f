import { messageOf } from "../../platform/errors/index.ts";
import { type Clock, sleep } from "../../platform/time/index.ts";
import type { Ledger, UndoExecutor } from "../ledger/index.ts";
import type { ChaosPlan, PlannedFault } from "../plan/index.ts";
import type { RunRecord } from "../record/index.ts";
import type { WorldRunOptions } from "../world.ts";
import { DeedInjector } from "./deed-injector.ts";
import type { LiveJob } from "./live-job.ts";
import { ReadinessBook } from "./readiness-book.ts";

export interface LiveRunParts {
  readonly plan: ChaosPlan;
  readonly job: LiveJob;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly undo: UndoExecutor;
  readonly options: WorldRunOptions;
  /** Between two looks; each at which all is at work is a step. @default 1000 */
  readonly lookEveryMs?: number | undefined;
  /** So long after the last renewal anybody may take faults back. @default one minute */
  readonly leaseMs?: number | undefined;
  readonly notes: readonly string[];
}

export const leaseMsDefault = 60_000;
const lookEveryMsDefault = 1000;
/** Back for so many looks in a row, after the last fault: it is over. */
const calmLooks = 3;
const notesMax = 100;

/** One run against something that somebody else runs. */
export class LiveRun {
  readonly #parts: LiveRunParts;
  readonly #startMs: number;
  readonly #book: ReadinessBook;
  readonly #injector: DeedInjector;
  readonly #over = new AbortController();
  readonly #notes: string[];

  constructor(parts: LiveRunParts) {
    const { plan, job, clock, ledger, undo, options, notes } = parts;
    this.#parts = parts;
    this.#startMs = clock.monotonicMs();
    this.#notes = [...notes];
    const { hasProgress, atStart } = job;
    this.#book = new ReadinessBook({
      hasProgress,
      atStart,
      onEvent: options.onEvent ?? (() => {}),
    });
    this.#injector = new DeedInjector(
      {
        clock,
        deedsOf: (fault) => job.deedsOf(fault),
        targetText: (target) => job.targetText(target),
        ledger,
        undo,
        nowUs: () => this.#nowUs(),
        onNote: (note) => this.#notes.push(note),
        onInjection: options.onInjection ?? (() => {}),
        over: this.#over.signal,
      },
      plan.faults,
    );
  }

  async carryOut(): Promise<RunRecord> {
    const { plan, job, ledger, undo } = this.#parts;
    const nowUs = () => this.#nowUs();
    const unfollow = job.follow?.({ book: this.#book, nowUs });
    this.#book.looked(job.first(), nowUs());
    const renewing = this.#renew();
    let open = plan.faults.length;
    const faults = plan.faults.map((fault) => this.#carryOutFault(fault).finally(() => open--));
    const end = await this.#look(() => open === 0);
    this.#over.abort(new Error("the run is over"));
    await Promise.all([...faults, renewing]);
    const left = await ledger.revertAll(undo);
    this.#injector.markReverted(left);
    const residualFaults = [
      ...left.map(
        ({ fault, target, problem }) => `${fault} of ${target}: ${problem ?? "not undone"}`,
      ),
      ...(await this.#marked()),
    ];
    unfollow?.();
    return this.#record(end, residualFaults);
  }

  async #carryOutFault(fault: PlannedFault): Promise<void> {
    const { clock, job } = this.#parts;
    const { trigger } = fault;
    const { signal } = this.#over;
    try {
      if (trigger.kind === "time") await sleep(clock, trigger.atUs / 1000, signal);
      else if (job.moment !== undefined) await job.moment(trigger, signal);
      else throw new Error(`there is no ${trigger.kind} to wait for in world ${job.world}`);
      await this.#injector.inject(fault);
    } catch (error) {
      if (!signal.aborted) this.#notes.push(`${fault.id} failed: ${messageOf(error)}`);
    }
  }

  /** Looks until all is over. */
  async #look(areFaultsOver: () => boolean): Promise<RunRecord["end"]> {
    const { plan, job, clock, options, lookEveryMs = lookEveryMsDefault } = this.#parts;
    const { signal } = options;
    const endMs = this.#startMs + plan.limits.durationUs / 1000;
    let calm = 0;
    let hasSeen: boolean;
    while (clock.monotonicMs() < endMs) {
      try {
        await sleep(clock, lookEveryMs, signal);
        hasSeen = await job.look({ book: this.#book, nowUs: () => this.#nowUs(), signal });
      } catch (error) {
        if (!signal.aborted) throw error;
        this.#notes.push(`interrupted: ${messageOf(signal.reason)}`);
        return "aborted";
      }
      const ending = job.ending?.();
      if (ending !== undefined) return this.#ended(ending);
      const isBack = hasSeen && job.isBack(this.#book, this.#injector.lastUs);
      calm = areFaultsOver() && isBack ? calm + 1 : 0;
      // A fault that lasts to the end is undone at the end; nobody waits for it to be over.
      if (calm >= calmLooks) return "finished";
    }
    return "cut";
  }

  #ended({ end, reason }: NonNullable<ReturnType<NonNullable<LiveJob["ending"]>>>) {
    if (end === "gave-up") this.#book.put({ kind: "give-up", reason }, this.#nowUs());
    else this.#notes.push(reason);
    return end;
  }

  /** Both the ledger and the cluster say how long others have to leave us alone. */
  async #renew(): Promise<void> {
    const { ledger, job, clock, leaseMs = leaseMsDefault } = this.#parts;
    const { signal } = this.#over;
    while (!signal.aborted) {
      await sleep(clock, leaseMs / 3, signal).catch(() => {});
      if (signal.aborted) return;
      try {
        await ledger.renew();
        await job.renew?.(clock.nowMs() + leaseMs);
      } catch (error) {
        this.#notes.push(`a lease could not be renewed: ${messageOf(error)}`);
      }
    }
  }

  /** An independent look: what in the cluster still bears the mark of this run. */
  async #marked(): Promise<readonly string[]> {
    try {
      const marked = await this.#parts.job.marked();
      return marked.map((what) => `${what} still bears the mark of this run`);
    } catch (error) {
      return [`nobody could look for what is left: ${messageOf(error)}`];
    }
  }

  #record(end: RunRecord["end"], residualFaults: readonly string[]): RunRecord {
    const { plan, job } = this.#parts;
    const endUs = this.#nowUs();
    const stateDigest = end === "finished" ? job.digest : null;
    if (end === "finished") {
      this.#book.put({ kind: "finish", stateDigest: stateDigest ?? "unknown" }, endUs);
    }
    return {
      world: job.world,
      provenance: "measured",
      plan,
      events: this.#book.events,
      injections: this.#injector.records(),
      residualFaults,
      end,
      endUs,
      stateDigest,
      traceHash: null,
      probes: [],
      notes: [...this.#notes.slice(0, notesMax), job.aboutSteps()],
    };
  }

  #nowUs(): number {
    return Math.round((this.#parts.clock.monotonicMs() - this.#startMs) * 1000);
  }
}
