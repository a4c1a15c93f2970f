import type { EventHub } from "../../platform/http/index.ts";
import type { Clock, Timer } from "../../platform/time/clock.ts";
import type { LoopEvent } from "../../validation/loop/index.ts";

interface News {
  readonly cluster: string;
  readonly runId: string;
  readonly node: string;
  readonly check: string;
  readonly state: "planned" | "submitted" | "running" | "cancelling" | "ended" | "judged";
}

const tellEveryMs = 500;
/** Of more than this at once only the newest are told; lists are read again anyway. */
const toldMax = 50;

/** Tells those who watch what becomes of runs: the newest of each, in small portions. */
export class RunNews {
  readonly #options: { readonly cluster: string; readonly hub: EventHub; readonly clock: Clock };
  readonly #waiting = new Map<string, News>();
  #timer: Timer | undefined;
  #isStopped = false;

  constructor(options: {
    readonly cluster: string;
    readonly hub: EventHub;
    readonly clock: Clock;
  }) {
    this.#options = options;
  }

  take(event: LoopEvent): void {
    if (!("run" in event) || this.#isStopped) return;
    const { hub, clock, cluster } = this.#options;
    if (hub.subscriberCount === 0) return;
    const { runId, node, check } = event.run;
    this.#waiting.delete(runId);
    this.#waiting.set(runId, { cluster, runId, node, check, state: event.type });
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > toldMax && oldest !== undefined) this.#waiting.delete(oldest);
    this.#timer ??= clock.setTimer(tellEveryMs, () => this.#tell());
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#waiting.clear();
  }

  #tell(): void {
    this.#timer = undefined;
    for (const news of this.#waiting.values()) this.#options.hub.publish("run.changed", news);
    this.#waiting.clear();
  }
}
