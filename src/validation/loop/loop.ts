import { TesseraError } from "../../platform/errors/index.ts";
import { sleep } from "../../platform/time/index.ts";
import { formatDurationMs } from "../../platform/units/index.ts";
import { type BatchEvent, type Episodes, Eyes, Waker } from "../batch/index.ts";
import type { ClusterView } from "../clusters/cluster.ts";
import type { RunRecord } from "../run.ts";
import { OncePass } from "./once.ts";
import type {
  Loop,
  LoopEvent,
  LoopOptions,
  LoopState,
  LoopStatus,
  LoopSummary,
  Prospect,
} from "./ports.ts";
import { statusOf } from "./status.ts";
import { Stopping } from "./stopping.ts";
import { Term, type Tick } from "./term.ts";

const endedMax = 100_000;

/**
 * The loop that validates a cluster: looks at it, carries open runs on, judges what came back,
 * begins what is due, and looks again when something changes. Everything is rebuilt from the cluster
 * and the store at every start; a loop that is killed at any moment loses nothing.
 */
export function createLoop(options: LoopOptions): Loop {
  return new ValidationLoop(options);
}

type RunOptions = NonNullable<Parameters<Loop["run"]>[1]>;

class ValidationLoop implements Loop {
  readonly #options: LoopOptions;
  readonly #waker = new Waker();
  readonly #eyes: Eyes;
  readonly #ended = new Map<string, RunRecord>();
  #state: LoopState = "starting";
  #term: Term | undefined;
  #termFence: number | undefined;
  /** An outage often costs the lead too; it is still one outage. */
  #episodes: Episodes | undefined;
  #once: OncePass | undefined;
  #view: ClusterView | undefined;
  #toldLeader: string | undefined;

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#eyes = new Eyes(options.clock);
  }

  wake(): void {
    this.#waker.wake();
  }

  status(): LoopStatus {
    const { cluster, leadership, settings } = this.#options;
    return statusOf({
      cluster: cluster.name,
      state: this.#state,
      leader: leadership.leader(),
      view: this.#view,
      open: this.#term?.open ?? [],
      inFlightMax: settings.guard.inFlightMax,
      postponed: this.#term?.postponed ?? [],
      troubles: this.#term?.engine.episodes.list() ?? [],
    });
  }

  prospect(): Prospect | undefined {
    return this.#term?.prospect;
  }

  async run(signal: AbortSignal, options: RunOptions = {}): Promise<LoopSummary> {
    const { cluster, leadership } = this.#options;
    const wake = () => this.#waker.wake();
    const signals = [signal, ...(options.cancel === undefined ? [] : [options.cancel])];
    const unsubscribe = [cluster.subscribe(wake), leadership.subscribe(wake)];
    for (const each of signals) each.addEventListener("abort", wake, { once: true });
    this.#once = options.once === true ? new OncePass() : undefined;
    const stopping = new Stopping({ ...this.#options, signal, ...options });
    cluster.start();
    leadership.start();
    let isDone = false;
    try {
      while (!isDone) isDone = await this.#turn(stopping);
    } finally {
      for (const stop of unsubscribe) stop();
      for (const each of signals) each.removeEventListener("abort", wake);
      await leadership.stop();
      this.#state = "stopped";
    }
    const open = this.#term?.open.length ?? 0;
    this.#tell({ type: "stopped", open });
    const postponed = this.#term?.postponed ?? [];
    const interrupted = stopping.isAsked;
    return { ended: [...this.#ended.values()], open, postponed, interrupted };
  }

  /** One turn; true when it was the last. */
  async #turn(stopping: Stopping): Promise<boolean> {
    const { clock, tickGapMs = 100 } = this.#options;
    const phase = stopping.phase();
    const term = this.#currentTerm();
    if (term === undefined) {
      if (phase !== "running") return true;
      await this.#sleep(false);
      await sleep(clock, tickGapMs);
      return false;
    }
    this.#enter(phase === "running" ? "leading" : "draining", term);
    const tick = await term.tick({
      plans: phase === "running",
      submits: phase === "running",
      ...(phase === "cancelling" ? { cancelAll: "the loop was told to stop" } : {}),
    });
    this.#view = tick.pass?.view ?? this.#view;
    if (this.#isDone(tick, stopping)) return true;
    if (tick.changed) {
      this.#tell({ type: "status", status: this.status() });
      this.#waker.wake();
    }
    await sleep(clock, tickGapMs);
    await this.#sleep(term.open.length > 0);
    return false;
  }

  #isDone(tick: Tick, stopping: Stopping): boolean {
    const { cluster, viewTimeoutMs = 120_000 } = this.#options;
    if (stopping.isOver(tick)) return true;
    if (this.#once === undefined) return false;
    if (tick.pass === undefined && this.#view === undefined && stopping.hasRunFor(viewTimeoutMs)) {
      const what = `Waiting for a view of the cluster ${cluster.name} that can be trusted`;
      throw new TesseraError("E_TIMEOUT", { what, timeout: formatDurationMs(viewTimeoutMs) });
    }
    return tick.settled && tick.pass?.open.length === 0;
  }

  /** The term this process leads in; undefined while another does. */
  #currentTerm(): Term | undefined {
    const { leadership } = this.#options;
    const fence = leadership.fence();
    if (fence === undefined) {
      if (this.#term !== undefined) this.#tell({ type: "lost" });
      this.#term = undefined;
      this.#termFence = undefined;
      this.#tellWaiting();
      return undefined;
    }
    if (this.#term === undefined || this.#termFence !== fence) {
      this.#termFence = fence;
      this.#toldLeader = undefined;
      this.#tell({ type: "leading", fence });
      this.#term = new Term({
        ...this.#options,
        ownFence: fence,
        eyes: this.#eyes,
        episodes: this.#episodes,
        once: this.#once,
        tell: (event) => this.#tell(event),
        onEnded: (record) => {
          if (this.#ended.size < endedMax) this.#ended.set(record.intent.id, record);
        },
        onVerdict: (verdict) => {
          const record = this.#ended.get(verdict.runId);
          if (record !== undefined) this.#ended.set(verdict.runId, { ...record, verdict });
        },
      });
      this.#episodes = this.#term.engine.episodes;
    }
    return this.#term;
  }

  #tellWaiting(): void {
    const leader = this.#options.leadership.leader();
    this.#state = "waiting";
    if (leader === undefined || leader.isThisProcess) return;
    const text = JSON.stringify(leader);
    if (text === this.#toldLeader) return;
    this.#toldLeader = text;
    this.#tell({ type: "waiting", leader });
  }

  #enter(state: LoopState, term: Term): void {
    if (this.#state === state) return;
    this.#state = state;
    if (state === "draining") this.#tell({ type: "draining", open: term.open.length });
  }

  #tell(event: BatchEvent | LoopNews): void {
    const { cluster, onEvent } = this.#options;
    onEvent?.({ cluster: cluster.name, atMs: cluster.clock.nowMs(), ...event });
  }

  /** Sleeps until something happens, something may be tried again, or it is time to look anyway. */
  async #sleep(hasOpenRuns: boolean): Promise<void> {
    const { clock, cluster, settings, tickEveryMs = 5_000 } = this.#options;
    const retryMs = this.#term?.engine.episodes.nextDelayMs() ?? tickEveryMs;
    const delays = [{ clock, delayMs: Math.min(tickEveryMs, retryMs) }];
    // What is due about runs is due in the cluster's time.
    if (hasOpenRuns) delays.push({ clock: cluster.clock, delayMs: settings.resultGraceMs / 2 + 1 });
    await this.#waker.sleep(delays);
  }
}

type LoopNews = Distribute<LoopEvent>;
type Distribute<Event> = Event extends unknown ? Omit<Event, "cluster" | "atMs"> : never;
