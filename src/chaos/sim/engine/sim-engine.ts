import type { Chance } from "../../chance/index.ts";
import type { Trace } from "./trace.ts";

/** What an event is, as `kind` registered it. */
export type EventKind = number & { readonly eventKind: unique symbol };

/** One event that is waiting. */
export type EventId = number & { readonly eventId: unique symbol };

/** Called when an event is due, with the two numbers it was given. */
export type EventHandler = (a: number, b: number) => void;

/**
 * Why `run` came back: `quiet` when nothing but watchdogs is left, `limit` when the time was reached,
 * `paused` when a handler asked for it.
 */
export type RunEnd = "quiet" | "limit" | "paused";

/**
 * Virtual time. Events happen in the order of their times, and of when they were asked for where times are
 * equal: the same program with the same seed does the same, on every machine.
 */
export interface SimEngine {
  /** Whole microseconds from the beginning. */
  readonly nowUs: number;
  /** Events that have happened. */
  readonly processed: number;
  /** Events that are waiting, watchdogs included. */
  readonly pending: number;
  /**
   * A kind of event, registered once; its name enters the trace. Watchdogs are what only watches, such as
   * timeouts and periodic looks: they do not keep a run going.
   */
  kind(name: string, handler: EventHandler, options?: { readonly isWatchdog?: boolean }): EventKind;
  /** Asks for an event at a time, now or later. `a` and `b` are whole numbers of 32 bits. @default 0 */
  at(timeUs: number, kind: EventKind, a?: number, b?: number): EventId;
  /** The same, so long from now. */
  after(delayUs: number, kind: EventKind, a?: number, b?: number): EventId;
  /** Takes an event back; false when it has happened or was taken back before. */
  cancel(id: EventId): boolean;
  /** Puts something into the trace that is no event of its own. */
  note(name: string, a?: number, b?: number): void;
  /** Lets time go on up to and including a time. Nothing else may call it while it runs. */
  run(untilUs: number): RunEnd;
  /**
   * Lets the earliest event happen though only watchdogs are left: what goes on after `quiet`. False when
   * none is left up to the time.
   */
  wake(untilUs: number): boolean;
  /** `run` comes back after the handler that called this. */
  pause(): void;
  /** 16 hexadecimal digits of everything that happened, in order. */
  traceHash(): string;
  /** The hash with its marks on the way: see `compareTraces`. */
  trace(): Trace;
  readonly chance: Chance;
}
