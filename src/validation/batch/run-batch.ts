import type { Leadership } from "../leadership/leadership.ts";
import type { PlannedRun } from "../plan/planner.ts";
import type { RunIntent, RunRecord } from "../run.ts";
import { Engine, type Pass } from "./engine.ts";
import { runRef } from "./events.ts";
import type { BatchPorts } from "./ports.ts";
import { readRun } from "./read-run.ts";
import { Waker } from "./waker.ts";

export interface BatchOptions extends Omit<BatchPorts, "isLeader" | "fence" | "onEvent"> {
  /** What to run, most urgent first. */
  readonly entries: readonly PlannedRun[];
  /** Says whether this process may act on the cluster. The batch ends when it may no longer. */
  readonly leadership: Pick<Leadership, "isLeader" | "fence">;
  /** Ends the batch: jobs are cancelled, their runs concluded, the rest is not begun. */
  readonly signal?: AbortSignal;
  readonly onEvent?: BatchPorts["onEvent"];
  /** @default 5_000 */
  readonly tickEveryMs?: number;
  /** How long a cancelled batch waits for its jobs to be gone. @default 60_000 */
  readonly cancelTimeoutMs?: number;
}

/** What became of an entry. */
export type BatchRun =
  | { readonly entry: PlannedRun; readonly record: RunRecord }
  /** It was not begun, or its end was not seen. */
  | { readonly entry: PlannedRun; readonly skipped: string };

export interface BatchSummary {
  /** In the order of the entries. */
  readonly runs: readonly BatchRun[];
}

/**
 * Runs checks on nodes, the seed's `run_batch`: never more at once than the settings allow, a new
 * one as soon as one has ended, one at a time on each node. Runs that were open before are carried
 * on, and count against the limit. The cluster must have been started.
 */
export async function runBatch(options: BatchOptions): Promise<BatchSummary> {
  const batch = new Batch(options);
  return await batch.run();
}

class Batch {
  readonly #options: BatchOptions;
  readonly #engine: Engine;
  readonly #waker = new Waker();
  /** Entries that have not begun. */
  #waiting: readonly PlannedRun[];
  readonly #begun = new Map<string, { readonly entry: PlannedRun; readonly intent: RunIntent }>();
  readonly #runs = new Map<PlannedRun, BatchRun>();

  constructor(options: BatchOptions) {
    this.#options = options;
    this.#waiting = options.entries;
    const { leadership, onEvent = () => {} } = options;
    this.#engine = new Engine({
      ...options,
      isLeader: () => leadership.isLeader(),
      fence: () => leadership.fence(),
      onEvent,
    });
  }

  async run(): Promise<BatchSummary> {
    const { cluster, signal, clock, entries, tickEveryMs = 5_000 } = this.#options;
    const wake = () => this.#waker.wake();
    const unsubscribe = cluster.subscribe(wake);
    signal?.addEventListener("abort", wake, { once: true });
    try {
      let cancelledMs: number | undefined;
      while (this.#waiting.length > 0 || this.#begun.size > 0) {
        if (!this.#options.leadership.isLeader()) break;
        if (signal?.aborted) cancelledMs ??= clock.monotonicMs();
        if (this.#hasWaitedEnough(cancelledMs)) break;
        const changed = await this.#step(cancelledMs !== undefined);
        if (changed) wake();
        await this.#waker.sleep([
          { clock, delayMs: tickEveryMs },
          { clock: cluster.clock, delayMs: this.#options.settings.resultGraceMs / 2 + 1 },
        ]);
      }
    } finally {
      unsubscribe();
      signal?.removeEventListener("abort", wake);
    }
    this.#skip(this.#waiting, "the batch ended before its turn");
    this.#skip(
      [...this.#begun.values()].map(({ entry }) => entry),
      "the batch ended before it did; whoever looks at the cluster next goes on with it",
    );
    return { runs: entries.flatMap((entry) => this.#runs.get(entry) ?? []) };
  }

  async #step(isCancelled: boolean): Promise<boolean> {
    if (isCancelled) this.#skip(this.#waiting, "the batch was cancelled before its turn");
    const mode = isCancelled ? { cancelAll: "the batch was cancelled" } : {};
    const pass = await this.#engine.pass({ submits: !isCancelled, ...mode });
    if (pass === undefined) return false;
    await this.#readEnded(pass);
    if (this.#engine.refusal !== undefined) {
      this.#skip(this.#waiting, `the cluster refuses the jobs: ${this.#engine.refusal}`);
    }
    const { planned, refused } = await this.#engine.begin(this.#startable(pass), pass);
    for (const intent of planned) this.#noteBegun(intent);
    const superseded = refused.filter(({ why }) => why === "superseded");
    this.#skip(
      superseded.map(({ run }) => run),
      "another loop has taken the cluster over",
    );
    return pass.changed || planned.length > 0;
  }

  /** Entries whose nodes are free now; those whose nodes will not be are given up. */
  #startable({ view, open }: Pass): readonly PlannedRun[] {
    const nodes = new Map(view.nodes.map((node) => [node.name, node]));
    const inUse = new Set([
      ...open.map(({ intent }) => intent.node),
      ...[...this.#begun.values()].map(({ intent }) => intent.node),
    ]);
    const startable: PlannedRun[] = [];
    for (const entry of this.#waiting) {
      const node = nodes.get(entry.node.name);
      const reasons = node?.notFree ?? [];
      if (node === undefined) this.#skip([entry], `node ${entry.node.name} left the cluster`);
      else if (inUse.has(node.name) || reasons.some(({ code }) => code === "under-test")) continue;
      else if (reasons.length > 0) this.#skip([entry], reasons.map(({ text }) => text).join("; "));
      else {
        startable.push(entry);
        inUse.add(node.name);
      }
    }
    return startable;
  }

  #noteBegun(intent: RunIntent): void {
    const entry = this.#waiting.find(
      ({ node, check }) => node.name === intent.node && check === intent.check,
    );
    if (entry === undefined) return;
    this.#waiting = this.#waiting.filter((other) => other !== entry);
    this.#begun.set(intent.id, { entry, intent });
  }

  async #readEnded(pass: Pass): Promise<void> {
    const openIds = new Set(pass.open.map(({ intent }) => intent.id));
    for (const [id, { entry, intent }] of this.#begun) {
      if (openIds.has(id)) continue;
      const read = await this.#engine.episodes.attempt("store", () =>
        readRun(this.#options.history, intent),
      );
      const result = read?.value?.result;
      if (read?.value === undefined || result === undefined) continue;
      this.#begun.delete(id);
      this.#runs.set(entry, { entry, record: read.value });
      const error = result.error === undefined ? {} : { error: result.error };
      const event = { type: "ended", run: runRef(intent), outcome: result.outcome } as const;
      this.#options.onEvent?.({ ...event, ...error });
    }
  }

  #skip(entries: readonly PlannedRun[], reason: string): void {
    const skipped = new Set(entries);
    for (const entry of entries) this.#runs.set(entry, { entry, skipped: reason });
    this.#waiting = this.#waiting.filter((entry) => !skipped.has(entry));
  }

  #hasWaitedEnough(cancelledMs: number | undefined): boolean {
    if (cancelledMs === undefined) return false;
    const { clock, cancelTimeoutMs = 60_000 } = this.#options;
    return clock.monotonicMs() - cancelledMs >= cancelTimeoutMs;
  }
}
