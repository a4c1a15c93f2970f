import assert from "node:assert/strict";
import { type Clock, createRealClock } from "../../platform/time/index.ts";
import { enter, leaveEnded, within } from "./active-sessions.ts";
import type { OpRecord } from "./record.ts";
import { type ReportOptions, renderReport } from "./report/index.ts";
import { SessionLog } from "./session-log.ts";
import { type Telemetry, telemetryOf } from "./telemetry.ts";
import { renderChromeTrace } from "./trace/index.ts";

export interface SessionOptions {
  /** What measured operations, marks and regions are timed with. @default the machine's clock */
  readonly clock?: Clock;
  /**
   * How many operations, marks and regions are kept; later ones are only counted.
   * @default 100_000
   */
  readonly entriesMax?: number;
}

/** Collects every operation of its async context from its start to its end. */
export interface Session extends Disposable {
  /** The operations, in the order in which they ended. */
  records(): readonly OpRecord[];
  /** How many operations, marks and regions there was no room for. */
  readonly dropped: number;
  /** Notes a moment; it shows in the trace. */
  mark(name: string): void;
  /** A table with one row an operation, and totals. */
  report(options?: ReportOptions): string;
  /** JSON in the Trace Event Format, for Perfetto or chrome://tracing. */
  chromeTrace(): string;
  /** One `tessera.telemetry.v1` event an operation; null is what nobody knows. */
  toJson(): Telemetry;
  /** Ends the session; what it collected stays. Ending twice does nothing. */
  [Symbol.dispose](): void;
}

/**
 * Starts a session. Sessions nest, and each sees every operation inside it.
 *
 * `using session = profile.session()` lasts to the end of the block; it holds for the code that
 * follows and for what that starts. Tasks that one caller starts side by side, each with its own
 * session, take the form with a function: before its first `await`, a task shares its caller's
 * context, so a session begun there would be seen by the next task too.
 *
 * `profile.session(async (session) => ...)` lasts until the function is done and returns what it
 * returns.
 */
export function session(options?: SessionOptions): Session;
export function session<T>(fn: (session: Session) => T): T;
export function session<T>(options: SessionOptions, fn: (session: Session) => T): T;
export function session<T>(
  first: SessionOptions | ((session: Session) => T) = {},
  second?: (session: Session) => T,
): Session | T {
  const options = typeof first === "function" ? {} : first;
  const fn = typeof first === "function" ? first : second;
  const { clock = createRealClock(), entriesMax = 100_000 } = options;
  assert(Number.isSafeInteger(entriesMax) && entriesMax >= 0, "entriesMax is a whole number");
  const log = new SessionLog(clock, entriesMax);
  const created = viewOf(log);
  if (fn === undefined) {
    enter(log);
    return created;
  }
  return within(log, () => untilDone(created, fn));
}

/** Calls `fn` and ends the session when it is done: for a promise, when that settles. */
function untilDone<T>(created: Session, fn: (session: Session) => T): T {
  let result: T;
  try {
    result = fn(created);
  } catch (error) {
    created[Symbol.dispose]();
    throw error;
  }
  if (result instanceof Promise) return result.finally(() => created[Symbol.dispose]()) as T;
  created[Symbol.dispose]();
  return result;
}

function viewOf(log: SessionLog): Session {
  return {
    records: () => log.ops.map(({ record }) => record),
    get dropped() {
      return log.dropped;
    },
    mark: (name) => log.mark(name),
    report: (options) => renderReport(log, options),
    chromeTrace: () => renderChromeTrace(log),
    toJson: () => telemetryOf(log),
    [Symbol.dispose]: () => {
      log.isOpen = false;
      leaveEnded();
    },
  };
}
