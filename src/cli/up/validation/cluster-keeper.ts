import { messageOf } from "../../../platform/errors/index.ts";
import type { EventHub } from "../../../platform/http/index.ts";
import type { Metrics } from "../../../platform/metrics/index.ts";
import { sleep, type Timer } from "../../../platform/time/clock.ts";
import type { Provenance } from "../../../platform/words.ts";
import {
  type AssembledLoop,
  type AssembleOptions,
  assembleLoop,
} from "../../../validation/assemble/index.ts";
import type { LoopEvent } from "../../../validation/loop/index.ts";
import type { ClusterEntry } from "../../../validation/resolve-settings.ts";
import { type ClusterSummary, summarize } from "./cluster-summary.ts";

export interface KeeperOptions extends Omit<AssembleOptions, "onEvent" | "limits"> {
  readonly hub: EventHub;
  readonly metrics: Metrics;
}

// Everything that is shown is read at most this often, and takes at most a twentieth of the time.
const summaryAgeMsMin = 2_000;
const summaryShare = 20;
const changedEveryMs = 3_000;
const retryMsMin = 5_000;
const retryMsMax = 600_000;

/** Looks after one cluster of the control plane: its loop, and what is shown of it. */
export class ClusterKeeper {
  readonly entry: ClusterEntry;
  readonly #options: KeeperOptions;
  readonly #stop = new AbortController();
  readonly #provenance: Provenance;
  #assembled: AssembledLoop | undefined;
  #running: Promise<unknown> | undefined;
  #problem: string | undefined;
  #known: { readonly summary: ClusterSummary; readonly validUntilMs: number } | undefined;
  #reading: Promise<ClusterSummary> | undefined;
  #changedTimer: Timer | undefined;

  constructor(entry: ClusterEntry, options: KeeperOptions) {
    this.entry = entry;
    this.#options = options;
    this.#provenance = entry.kind === "simulated" ? "simulated" : "measured";
  }

  /** Opens the cluster and begins its loop. Never rejects: what went wrong is shown, and tried again. */
  async start(): Promise<void> {
    const assembled = await this.#open();
    this.#running = assembled === undefined ? this.#keepTrying() : this.#run(assembled);
  }

  async #open(): Promise<AssembledLoop | undefined> {
    try {
      this.#assembled = await assembleLoop(this.entry, {
        ...this.#options,
        onEvent: (event) => this.#onEvent(event),
        // What the end of this process takes with it is cancelled, and nothing is waited for long.
        limits: { drainTimeoutMs: 0, cancelTimeoutMs: 5_000, tickGapMs: 250 },
      });
      this.#problem = undefined;
      return this.#assembled;
    } catch (err) {
      const problem = messageOf(err);
      if (problem !== this.#problem) {
        const cluster = this.entry.name;
        this.#options.log.error({ err, cluster }, "the cluster cannot be validated; trying again");
      }
      this.#problem = problem;
      return undefined;
    }
  }

  /** A kubeconfig that is mended, a server that is back: nobody should have to restart for that. */
  async #keepTrying(): Promise<void> {
    const { signal } = this.#stop;
    for (let waitMs = retryMsMin; ; waitMs = Math.min(2 * waitMs, retryMsMax)) {
      await sleep(this.#options.clock, waitMs, signal).catch(() => {});
      if (signal.aborted) return;
      const assembled = await this.#open();
      if (assembled === undefined) continue;
      this.#changed();
      return await this.#run(assembled);
    }
  }

  /** The cluster's own clock; undefined before it is open. */
  get clock() {
    return this.#assembled?.opened.cluster.clock;
  }

  /** A result came in by the API. */
  wake(): void {
    this.#assembled?.loop.wake();
  }

  /** How it stands; undefined while there is nothing to tell but `problem`. */
  async summary(): Promise<ClusterSummary | undefined> {
    const assembled = this.#assembled;
    if (assembled === undefined || this.#problem !== undefined) return undefined;
    const { clock, history } = this.#options;
    if (this.#known !== undefined && clock.monotonicMs() < this.#known.validUntilMs) {
      return this.#known.summary;
    }
    this.#reading ??= this.#read(() => summarize(assembled, history)).finally(() => {
      this.#reading = undefined;
    });
    return await this.#reading;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  /** Ends the loop within seconds, and what it began where that would not go on without it. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#changedTimer?.cancel();
    await this.#running;
    await this.#assembled?.close();
  }

  async #run({ loop, entry }: AssembledLoop): Promise<void> {
    const { signal } = this.#stop;
    if (signal.aborted) return;
    try {
      // Jobs of Kubernetes go on and are found again; others end with this process.
      await loop.run(signal, entry.kind === "kubernetes" ? {} : { cancel: signal });
    } catch (err) {
      this.#problem = messageOf(err);
      this.#options.log.error({ err, cluster: entry.name }, "the loop has ended");
    }
  }

  async #read(read: () => Promise<ClusterSummary>): Promise<ClusterSummary> {
    const { clock } = this.#options;
    const startMs = clock.monotonicMs();
    const summary = await read();
    const tookMs = clock.monotonicMs() - startMs;
    const validUntilMs = startMs + Math.max(summaryAgeMsMin, tookMs * summaryShare);
    this.#known = { summary, validUntilMs };
    return summary;
  }

  #onEvent(event: LoopEvent): void {
    const { hub, metrics } = this.#options;
    const labels = { cluster: this.entry.name, provenance: this.#provenance };
    if (event.type === "ended") {
      metrics.count("tessera_validation_runs_total", { ...labels, outcome: event.outcome });
    }
    if (event.type === "judged") {
      const { verdict, reason, run } = event;
      metrics.count("tessera_validation_verdicts_total", { ...labels, verdict });
      const { runId, node, check } = run;
      hub.publish("validation.verdict", { ...labels, runId, node, check, verdict, reason });
    }
    this.#logEvent(event);
    this.#changed();
  }

  #logEvent(event: LoopEvent): void {
    const { log } = this.#options;
    const cluster = this.entry.name;
    switch (event.type) {
      case "trouble":
        log.warn({ cluster, step: event.step }, event.problem);
        break;
      case "recovered":
        log.info({ cluster, step: event.step }, "works again");
        break;
      case "waiting":
        log.info({ cluster, leader: event.leader?.holder }, "another process leads; waiting");
        break;
      case "judged":
        if (event.verdict === "fail") {
          log.info({ cluster, node: event.run.node, check: event.run.check }, event.reason);
        }
        break;
      default:
        break;
    }
  }

  /** Tells those who watch that something is new, now and then. */
  #changed(): void {
    const { hub, clock } = this.#options;
    if (this.#changedTimer !== undefined || this.#stop.signal.aborted) return;
    this.#changedTimer = clock.setTimer(changedEveryMs, () => {
      this.#changedTimer = undefined;
      hub.publish("validation.changed", {
        cluster: this.entry.name,
        provenance: this.#provenance,
      });
    });
  }
}
