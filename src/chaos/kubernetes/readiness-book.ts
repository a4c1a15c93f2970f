import type { WithoutTime } from "../elastic/index.ts";
import type { JobEvent } from "../record/index.ts";
import type { PodView } from "./objects.ts";

/** More looks than this are a month. */
const eventsMax = 3_000_000;

/**
 * Turns looks at pods into the events of a run. A step is a look at which as many pods were ready as at
 * the start, so that time without steps is time in which pods were missing; a new generation is the first
 * such look after one at which they were not.
 */
export class ReadinessBook {
  readonly #onEvent: (event: JobEvent) => void;
  readonly #wanted: number;
  /** Steps come from what the pods print; looks make none. */
  readonly #hasProgress: boolean;
  readonly #events: JobEvent[] = [];
  #generation = 0;
  #step = 0;
  #isWhole = false;
  #wholeLooks = 0;

  constructor(options: {
    readonly wanted: number;
    readonly hasProgress: boolean;
    readonly onEvent: (event: JobEvent) => void;
  }) {
    this.#wanted = options.wanted;
    this.#hasProgress = options.hasProgress;
    this.#onEvent = options.onEvent;
  }

  get events(): readonly JobEvent[] {
    return this.#events;
  }

  get generation(): number {
    return this.#generation;
  }

  /** Looks in a row at which all were ready. */
  get wholeLooks(): number {
    return this.#wholeLooks;
  }

  /** The pods changed: something may be missing, or all be back. Makes no step by itself but the first. */
  changed(pods: readonly PodView[], atUs: number): void {
    const ready = readyIn(pods);
    if (ready < this.#wanted) this.#missing(ready, atUs);
    else if (!this.#isWhole) this.#whole(ready, atUs);
  }

  /** A regular look. */
  looked(pods: readonly PodView[], atUs: number): void {
    this.changed(pods, atUs);
    if (!this.#isWhole) return;
    this.#wholeLooks++;
    this.#stepped(readyIn(pods), atUs);
  }

  put(event: WithoutTime<JobEvent>, atUs: number): void {
    if (this.#events.length >= eventsMax) return;
    const timed = { ...event, atUs } as JobEvent;
    this.#events.push(timed);
    this.#onEvent(timed);
  }

  #missing(ready: number, atUs: number): void {
    this.#wholeLooks = 0;
    if (!this.#isWhole) return;
    this.#isWhole = false;
    const reason = `${ready} of ${this.#wanted} pods are ready`;
    this.put({ kind: "detect", by: "exit", ranks: [], reason }, atUs);
  }

  #whole(ready: number, atUs: number): void {
    this.#isWhole = true;
    this.#generation++;
    const reason = this.#generation === 1 ? "the pods at the start" : "all pods are ready again";
    const generation = this.#generation;
    this.put({ kind: "generation", generation, ranks: ready, dp: ready, reason }, atUs);
    this.#stepped(ready, atUs);
  }

  #stepped(units: number, atUs: number): void {
    if (this.#hasProgress) return;
    this.put({ kind: "step", generation: this.#generation, step: ++this.#step, units }, atUs);
  }
}

/** Pods that ended well have done what they were for. */
export function readyIn(pods: readonly PodView[]): number {
  return pods.filter(({ isReady, hasSucceeded }) => isReady || hasSucceeded).length;
}
