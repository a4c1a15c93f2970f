import type { WithoutTime } from "../elastic/index.ts";
import type { JobEvent } from "../record/index.ts";

/** More looks than this are a month. */
const eventsMax = 3_000_000;

/** How something that somebody else runs is at one look. */
export interface Readiness {
  /** Parts of it that are at work: pods, nodes of a job. */
  readonly ready: number;
  readonly isWhole: boolean;
  /** Which of its runs this is: another one is a start in between that no look has seen. */
  readonly run?: string;
  /** How it is, in a few words. */
  readonly text: string;
}

/**
 * Turns looks into the events of a run. A step is a look at which all was at work, so that time without
 * steps is time in which something was missing; a new generation is the first such look after one at which
 * it was not.
 */
export class ReadinessBook {
  readonly #onEvent: (event: JobEvent) => void;
  /** Steps come from what the workload prints; looks make none. */
  readonly #hasProgress: boolean;
  readonly #atStart: string;
  readonly #events: JobEvent[] = [];
  #generation = 0;
  #step = 0;
  #isWhole = false;
  #wholeLooks = 0;
  #run: string | undefined;

  constructor(options: {
    readonly hasProgress: boolean;
    /** Why there is a first generation. */
    readonly atStart: string;
    readonly onEvent: (event: JobEvent) => void;
  }) {
    this.#hasProgress = options.hasProgress;
    this.#atStart = options.atStart;
    this.#onEvent = options.onEvent;
  }

  get events(): readonly JobEvent[] {
    return this.#events;
  }

  get generation(): number {
    return this.#generation;
  }

  /** Looks in a row at which all was at work. */
  get wholeLooks(): number {
    return this.#wholeLooks;
  }

  /** Something changed: a part may be missing, or all be back. Makes no step by itself but the first. */
  changed(now: Readiness, atUs: number): void {
    if (!now.isWhole) this.#missing(now, atUs);
    else if (!this.#isWhole) this.#whole(now, atUs);
    else if (now.run !== this.#run) this.begunAgain(now, atUs);
  }

  /** A regular look. */
  looked(now: Readiness, atUs: number): void {
    this.changed(now, atUs);
    if (!this.#isWhole) return;
    this.#wholeLooks++;
    this.#stepped(now.ready, atUs);
  }

  /** It ended and began between two looks, or behind their back. */
  begunAgain(now: Readiness, atUs: number): void {
    this.#missing(now, atUs);
    this.#whole(now, atUs);
  }

  put(event: WithoutTime<JobEvent>, atUs: number): void {
    if (this.#events.length >= eventsMax) return;
    const timed = { ...event, atUs } as JobEvent;
    this.#events.push(timed);
    this.#onEvent(timed);
  }

  #missing({ text }: Readiness, atUs: number): void {
    this.#wholeLooks = 0;
    if (!this.#isWhole) return;
    this.#isWhole = false;
    this.put({ kind: "detect", by: "exit", ranks: [], reason: text }, atUs);
  }

  #whole({ ready, run, text }: Readiness, atUs: number): void {
    this.#isWhole = true;
    this.#run = run;
    this.#generation++;
    const reason = this.#generation === 1 ? this.#atStart : text;
    const generation = this.#generation;
    this.put({ kind: "generation", generation, ranks: ready, dp: ready, reason }, atUs);
    this.#stepped(ready, atUs);
  }

  #stepped(units: number, atUs: number): void {
    if (this.#hasProgress) return;
    this.put({ kind: "step", generation: this.#generation, step: ++this.#step, units }, atUs);
  }
}
