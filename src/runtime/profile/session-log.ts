import type { Clock } from "../../platform/time/index.ts";
import type { Provenance } from "../../platform/words.ts";
import type { OpRecord } from "./record.ts";

/** An operation with its place on the timeline of its own kind of time. */
export interface KeptOp {
  readonly record: OpRecord;
  /**
   * Since the start of the session. Measured operations lie where this host's clock saw them;
   * modelled and simulated ones one after the other, each kind on a virtual timeline of its own.
   */
  readonly startUs: number;
  /** When it was recorded, in milliseconds since the Unix epoch. */
  readonly atMs: number;
}

/** A moment, on every timeline. */
export interface Moment {
  readonly measured: number;
  readonly modelled: number;
  readonly simulated: number;
}

export interface Mark {
  readonly name: string;
  readonly at: Moment;
}

export interface Region {
  readonly name: string;
  readonly from: Moment;
  readonly to: Moment;
}

/** What one session has seen. It keeps the first `entriesMax` entries and counts the others. */
export class SessionLog {
  readonly ops: KeptOp[] = [];
  readonly marks: Mark[] = [];
  readonly regions: Region[] = [];
  /** Operations, marks and regions that came when the session was full. */
  dropped = 0;
  isOpen = true;
  readonly #clock: Clock;
  readonly #startedMs: number;
  readonly #entriesMax: number;
  readonly #virtualUs: Record<Exclude<Provenance, "measured">, number> = {
    modelled: 0,
    simulated: 0,
  };

  constructor(clock: Clock, entriesMax: number) {
    this.#clock = clock;
    this.#entriesMax = entriesMax;
    this.#startedMs = clock.monotonicMs();
  }

  /** Time of this host since the session began. */
  hostUs(): number {
    return (this.#clock.monotonicMs() - this.#startedMs) * 1000;
  }

  now(): Moment {
    return { measured: this.hostUs(), ...this.#virtualUs };
  }

  /** Notes an operation. A measured one without a start is taken to have ended just now. */
  add(record: OpRecord, hostStartUs?: number): void {
    const timeUs = record.timeUs ?? 0;
    let startUs = hostStartUs ?? Math.max(0, this.hostUs() - timeUs);
    if (record.source !== "measured") {
      startUs = this.#virtualUs[record.source];
      this.#virtualUs[record.source] += timeUs;
    }
    if (this.#hasRoom()) this.ops.push({ record, startUs, atMs: this.#clock.nowMs() });
  }

  mark(name: string): void {
    if (this.#hasRoom()) this.marks.push({ name, at: this.now() });
  }

  addRegion(region: Region): void {
    if (this.#hasRoom()) this.regions.push(region);
  }

  #hasRoom(): boolean {
    const isFull = this.ops.length + this.marks.length + this.regions.length >= this.#entriesMax;
    if (isFull) this.dropped++;
    return !isFull;
  }
}
