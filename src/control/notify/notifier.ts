import type { Config } from "../../platform/config/index.ts";
import type { NotificationTarget } from "../../platform/config/sections/notifications.ts";
import { messageOf as problemOf } from "../../platform/errors/index.ts";
import type { Logger } from "../../platform/log/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import type { RngStream } from "../../platform/rng/index.ts";
import { acquireStoreLock, type Store } from "../../platform/store/index.ts";
import { type Clock, sleep } from "../../platform/time/clock.ts";
import { backoffMs } from "./backoff.ts";
import { deliver } from "./deliver.ts";
import { gatherOwnNews, gatherStoredNews } from "./gather-news.ts";
import { messageOf } from "./message.ts";
import {
  type ClaimedDelivery,
  claimDeliveries,
  endAttempt,
  makeDeliveries,
  type OutboxOptions,
  pruneOutbox,
} from "./outbox.ts";
import type { NewsSources } from "./sources.ts";
import { noteNobody, notifyingLock } from "./told-since.ts";

export interface NotifierOptions {
  readonly settings: Config["notifications"];
  readonly sources: NewsSources;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly store: Store;
  readonly clock: Clock;
  readonly rng: RngStream;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Who this process is; different for each of its lives. */
  readonly holder: string;
  /** Hears after each attempt for a target. */
  readonly onChange: (target: string) => void;
  /** How often the store is looked at. @default 3_000 */
  readonly everyMs?: number;
  /** How long one attempt may take. @default 10_000 */
  readonly timeoutMs?: number;
}

/** A process that still tells somebody after that was not about to end. */
const othersEndWithinMs = 5 * 60_000;
/** Messages a target gets one after the other before others are looked at again. */
const claimedMax = 5;

/** Turns records into messages and sends them; of several processes on one store only one does. */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #outbox: OutboxOptions;
  readonly #stop = new AbortController();
  readonly #sending = new Map<string, Promise<void>>();
  #running: Promise<void> | undefined;
  #problem: string | undefined;

  constructor(options: NotifierOptions) {
    const { targets, linkBase, simulated } = options.settings;
    this.#options = options;
    this.#outbox = { targets, linkBase, simulated };
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Cuts off what is being sent; it is tried again by whoever comes next. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await Promise.all(this.#sending.values());
  }

  async #run(): Promise<void> {
    const { clock, everyMs = 3_000 } = this.#options;
    const { signal } = this.#stop;
    const startedMs = clock.monotonicMs();
    while (!signal.aborted) {
      const isOver = await this.#pass(startedMs).then(
        (isLast) => {
          this.#problem = undefined;
          return isLast;
        },
        (err: unknown) => {
          this.#complain(err);
          return false;
        },
      );
      if (isOver) return;
      await sleep(clock, everyMs, signal).catch(() => {});
    }
  }

  /** True when there is nothing more to do. */
  async #pass(startedMs: number): Promise<boolean> {
    const { store, clock, settings } = this.#options;
    if (settings.targets.length > 0) {
      await this.#tell();
      return false;
    }
    // Nobody is to be told: that is noted, and nothing is read or kept.
    const isNoted = await noteNobody(store, this.#options);
    return isNoted || clock.monotonicMs() - startedMs > othersEndWithinMs;
  }

  async #tell(): Promise<void> {
    const { store, clock, holder, settings } = this.#options;
    await gatherOwnNews(store, { ...this.#options, outbox: this.#outbox });
    const lock = await acquireStoreLock(store.db, { ...notifyingLock, holder, clock });
    if (lock === undefined) return;
    await gatherStoredNews(store, { lock, clock, outbox: this.#outbox });
    for (const target of settings.targets) {
      // A target that is slow holds up nobody but itself.
      if (this.#sending.has(target.name) || this.#stop.signal.aborted) continue;
      const sending = this.#serve(target)
        .catch((err: unknown) => this.#complain(err))
        .finally(() => this.#sending.delete(target.name));
      this.#sending.set(target.name, sending);
    }
  }

  async #serve(target: NotificationTarget): Promise<void> {
    const { store, clock, settings, timeoutMs = 10_000 } = this.#options;
    const { groupOver } = settings;
    const { name } = target;
    await makeDeliveries(store, name, { groupOver, nowMs: clock.nowMs() });
    const leaseMs = 2 * claimedMax * timeoutMs;
    const due = { nowMs: clock.nowMs(), leaseMs, limit: claimedMax };
    for (const delivery of await claimDeliveries(store, name, due)) {
      if (this.#stop.signal.aborted) return;
      await this.#attempt(target, delivery);
    }
    await pruneOutbox(store, name, clock.nowMs());
  }

  async #attempt(target: NotificationTarget, delivery: ClaimedDelivery): Promise<void> {
    const { store, clock, metrics, onChange, log, rng } = this.#options;
    const { name } = target;
    const { id, items, attempts, madeAtMs } = delivery;
    const message = messageOf(id, { instance: store.instance.id, items });
    const result = await deliver(target, message, { ...this.#options, signal: this.#stop.signal });
    const nowMs = clock.nowMs();
    if (result.ok) {
      await endAttempt(store, id, { state: "delivered", atMs: nowMs });
      metrics.count("tessera_notifications_total", { target: name, outcome: "delivered" });
    } else {
      const { problem, askedMs } = result;
      const waitMs = backoffMs(attempts + 1, { askedMs, chance: rng.float() });
      const isOver = nowMs + waitMs - madeAtMs > this.#options.settings.giveUpAfterMs;
      await endAttempt(
        store,
        id,
        isOver
          ? { state: "failed", atMs: nowMs, problem }
          : { state: "waiting", dueAtMs: Math.round(nowMs + waitMs), problem },
      );
      const outcome = isOver ? "given-up" : "retried";
      metrics.count("tessera_notifications_total", { target: name, outcome });
      const text = isOver ? "a message could not be delivered" : "a message waits for its target";
      log[isOver ? "error" : "warn"]({ target: name, delivery: id, problem }, text);
    }
    onChange(name);
  }

  /** Says once what does not work, not at every pass. */
  #complain(err: unknown): void {
    const problem = problemOf(err);
    if (problem === this.#problem || this.#stop.signal.aborted) return;
    this.#problem = problem;
    this.#options.log.error({ err }, "notifications do not work; trying again");
  }
}
