import { messageOf } from "../../platform/errors/index.ts";
import type { EventHub } from "../../platform/http/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import type { Timer } from "../../platform/time/clock.ts";
import { withDeadline } from "../../platform/time/deadline.ts";
import type { Provenance } from "../../platform/words.ts";
import {
  type AssembledLoop,
  type AssembleOptions,
  assembleLoop,
} from "../../validation/assemble/index.ts";
import { endsWithUs } from "../../validation/clusters/cluster.ts";
import type { LoopEvent } from "../../validation/loop/index.ts";
import type { ClusterEntry } from "../../validation/resolve-settings.ts";
import { type ClusterSnapshot, SnapshotReader } from "../fleet/cluster-snapshot.ts";
import { noteCoverage } from "../fleet/coverage-log.ts";
import {
  type LeaderWord,
  noteLeaderWord,
  noWord,
  ownWord,
  readLeaderWord,
  wordGoodForMs,
} from "../fleet/leader-word.ts";
import { SnapshotKeeper } from "../fleet/snapshot-keeper.ts";
import { ChangeNews } from "./change-news.ts";
import { coverageOfRows } from "./cluster-summary.ts";
import { keepRunning } from "./keep-running.ts";
import { RunNews } from "./run-news.ts";

export interface KeeperOptions extends Omit<AssembleOptions, "onEvent" | "limits"> {
  readonly hub: EventHub;
  readonly metrics: Metrics;
}

/** While another process leads nothing is heard of its runs, so somebody has to look. */
const lookEveryMs = 5_000;
/** How much of the cluster is covered is put on record so often, and several times in its day. */
const noteEveryMs = 300_000;
const notesADay = 4;
const dayMs = 86_400_000;
const lastLookMs = 2_000;

/** Looks after one cluster of the control plane: its loop, and what is shown of it. */
export class ClusterKeeper {
  readonly entry: ClusterEntry;
  readonly #options: KeeperOptions;
  readonly #stop = new AbortController();
  /** What every figure of it is. */
  readonly provenance: Provenance;
  #assembled: AssembledLoop | undefined;
  #running: Promise<unknown> | undefined;
  #problem: string | undefined;
  readonly #news: RunNews;
  #snapshots: SnapshotKeeper | undefined;
  readonly #changes: ChangeNews;
  #lastSnapshot: ClusterSnapshot | undefined;
  #lookTimer: Timer | undefined;
  #notedMs = Number.NEGATIVE_INFINITY;
  #noting: Promise<void> | undefined;
  #said = { text: "", atMs: Number.NEGATIVE_INFINITY };
  #saying: Promise<void> | undefined;

  constructor(entry: ClusterEntry, options: KeeperOptions) {
    this.entry = entry;
    this.#options = options;
    this.provenance = entry.kind === "simulated" ? "simulated" : "measured";
    const { hub, clock } = options;
    const { name: cluster } = entry;
    this.#news = new RunNews({ hub, clock, cluster });
    this.#changes = new ChangeNews({
      clock,
      isWatched: () => hub.subscriberCount > 0,
      readSince: async (sinceMs, signal) => this.#snapshots?.getSince(sinceMs, signal),
      tell: () => hub.publish("validation.changed", { cluster, provenance: this.provenance }),
    });
  }

  /** Opens the cluster and begins its loop. Never rejects: what went wrong is shown, and tried again. */
  async start(): Promise<void> {
    // A kubeconfig that is mended, a server that is back, a loop that broke: nobody should have to
    // restart for that.
    this.#running = keepRunning({
      clock: this.#options.clock,
      signal: this.#stop.signal,
      first: await this.#open(),
      open: async () => {
        const assembled = await this.#open();
        if (assembled !== undefined) this.#changes.note();
        return assembled;
      },
      run: (assembled) => this.#run(assembled),
    });
    this.#lookNowAndThen();
  }

  async #open(): Promise<AssembledLoop | undefined> {
    try {
      this.#assembled = await assembleLoop(this.entry, {
        ...this.#options,
        onEvent: (event) => this.#onEvent(event),
        // What the end of this process takes with it is cancelled, and nothing is waited for long.
        limits: { drainTimeoutMs: 0, cancelTimeoutMs: 5_000, tickGapMs: 250 },
      });
      this.#snapshots = new SnapshotKeeper(
        new SnapshotReader(this.#assembled, this.#options),
        this.#options.clock,
      );
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

  /** The cluster and its loop; undefined while there is nothing to tell but `problem`. */
  get assembled(): AssembledLoop | undefined {
    return this.#problem === undefined ? this.#assembled : undefined;
  }

  /** A result came in by the API, or a person said something. */
  wake(): void {
    this.#assembled?.loop.wake();
    this.#changes.note();
  }

  /** How it stands; undefined while there is nothing to tell but `problem`. */
  async snapshot(): Promise<ClusterSnapshot | undefined> {
    if (this.#lastSnapshot !== undefined) return this.#lastSnapshot;
    return this.assembled === undefined ? undefined : await this.#snapshots?.get();
  }

  /** What only its leader knows: this process, or the one that it waits for. */
  async word(): Promise<LeaderWord> {
    if (this.assembled === undefined) return noWord;
    if (this.assembled.loop.status().state !== "waiting") return ownWord(this.assembled);
    const { store, clock } = this.#options;
    return await readLeaderWord(store, this.entry.name, clock.nowMs());
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  /** Ends the loop within seconds, and what it began where that would not go on without it. */
  async stop(): Promise<void> {
    // Whoever reads while the server stops sees the cluster as it was, not one that was closed.
    this.#lastSnapshot = await this.#snapshotInTime();
    this.#stop.abort();
    this.#changes.stop();
    this.#lookTimer?.cancel();
    this.#news.stop();
    await this.#running;
    await this.#noting;
    await this.#saying;
    await this.#assembled?.close();
  }

  async #snapshotInTime(): Promise<ClusterSnapshot | undefined> {
    const { clock } = this.#options;
    const limit = { clock, timeoutMs: lastLookMs, what: "The last look" };
    return withDeadline(limit, () => this.snapshot()).catch(() => undefined);
  }

  /** True when it ended because it was told to. Never rejects. */
  async #run({ loop, entry, close }: AssembledLoop): Promise<boolean> {
    const { signal } = this.#stop;
    const { log } = this.#options;
    const cluster = entry.name;
    try {
      await loop.run(signal, endsWithUs(entry.kind) ? { cancel: signal } : {});
      return true;
    } catch (err) {
      this.#problem = messageOf(err);
      log.error({ err, cluster }, "the loop broke; it is begun again");
    }
    this.#assembled = undefined;
    this.#snapshots = undefined;
    this.#changes.note();
    await close().catch((err: unknown) => log.warn({ err, cluster }, "it could not be closed"));
    return false;
  }

  #onEvent(event: LoopEvent): void {
    const { hub, metrics } = this.#options;
    const labels = { cluster: this.entry.name, provenance: this.provenance };
    if (event.type === "ended") {
      metrics.count("tessera_validation_runs_total", { ...labels, outcome: event.outcome });
    }
    if (event.type === "judged") {
      const { verdict, reason, run } = event;
      metrics.count("tessera_validation_verdicts_total", { ...labels, verdict });
      const { runId, node, check } = run;
      hub.publish("validation.verdict", { ...labels, runId, node, check, verdict, reason });
    }
    this.#news.take(event);
    this.#logEvent(event);
    this.#changes.note();
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

  #lookNowAndThen(): void {
    const { hub, clock } = this.#options;
    if (this.#stop.signal.aborted) return;
    this.#lookTimer = clock.setTimer(lookEveryMs, () => {
      const state = this.#assembled?.loop.status().state;
      if (hub.subscriberCount > 0 && state === "waiting") this.#changes.note();
      if (state === "leading") {
        this.#noteNowAndThen();
        this.#sayWordNowAndThen();
      }
      this.#lookNowAndThen();
    });
  }

  /** Soon after it changes, and often enough that the others do not take it for old. */
  #sayWordNowAndThen(): void {
    const { clock, store, log } = this.#options;
    if (this.#assembled === undefined || this.#saying !== undefined) return;
    const { name: cluster } = this.entry;
    const word = ownWord(this.#assembled);
    const text = JSON.stringify(word);
    const isOld = clock.monotonicMs() - this.#said.atMs > wordGoodForMs / 4;
    if (text === this.#said.text && !isOld) return;
    this.#saying = noteLeaderWord(store, cluster, { atMs: clock.nowMs(), word })
      .then(() => {
        this.#said = { text, atMs: clock.monotonicMs() };
      })
      .catch((err: unknown) => log.warn({ err, cluster }, "the others could not be told"))
      .finally(() => {
        this.#saying = undefined;
      });
  }

  #noteNowAndThen(): void {
    const nowMs = this.#options.clock.monotonicMs();
    const everyMs = Math.min(noteEveryMs, dayMs / (this.assembled?.opened.speed ?? 1) / notesADay);
    if (this.#noting !== undefined || nowMs - this.#notedMs < everyMs) return;
    this.#notedMs = nowMs;
    this.#noting = this.#note().finally(() => {
      this.#noting = undefined;
    });
  }

  /** Never rejects. */
  async #note(): Promise<void> {
    const { store, log } = this.#options;
    const { name: cluster } = this.entry;
    try {
      const { rows = [], atMs = 0 } = (await this.snapshot()) ?? {};
      // Before anything is seen, zero nodes would be a claim.
      if (rows.length === 0) return;
      const { covered } = coverageOfRows(rows);
      const day = Math.floor(atMs / dayMs);
      await noteCoverage(store, cluster, { day, covered, nodes: rows.length });
    } catch (err) {
      log.warn({ err, cluster }, "how much is covered could not be noted down");
    }
  }
}
