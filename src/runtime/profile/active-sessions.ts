import { AsyncLocalStorage } from "node:async_hooks";
import type { MeasuredOp, OpRecord } from "./record.ts";
import type { SessionLog } from "./session-log.ts";

/**
 * The sessions in force here, innermost first. Each async context has its own chain; a session that
 * has ended stays in the chains of whatever it started, and is passed over there.
 */
interface Link {
  readonly log: SessionLog;
  readonly outer: Link | undefined;
}

const chain = new AsyncLocalStorage<Link | undefined>();

/** Puts a session in force for this async context and what it starts from now on. */
export function enter(log: SessionLog): void {
  chain.enterWith({ log, outer: firstOpen(chain.getStore()) });
}

/** Forgets sessions of this async context that have ended. */
export function leaveEnded(): void {
  chain.enterWith(firstOpen(chain.getStore()));
}

/** Runs `fn` with a session in force, and leaves the caller's context as it is. */
export function within<T>(log: SessionLog, fn: () => T): T {
  return chain.run({ log, outer: firstOpen(chain.getStore()) }, fn);
}

/** The open sessions that see what happens here. */
export function openSessions(): readonly SessionLog[] {
  const open: SessionLog[] = [];
  for (let link = chain.getStore(); link !== undefined; link = link.outer) {
    if (link.log.isOpen) open.push(link.log);
  }
  return open;
}

/**
 * Tells every session in force here about an operation. Without one it does nothing, and does not
 * call `make` either.
 */
export function recordOp(make: () => OpRecord): void {
  const sessions = openSessions();
  if (sessions.length === 0) return;
  const record = make();
  for (const log of sessions) log.add(record);
}

/**
 * Runs `fn` and records how long this host took for it, on the clock of each session in force; of
 * a promise, until it settles. What throws is not recorded. Without a session only `fn` is called.
 *
 * @param describe says what was done; it gets the (awaited) result.
 */
export function measured<T>(describe: (result: Awaited<T>) => MeasuredOp, fn: () => T): T {
  const sessions = openSessions();
  if (sessions.length === 0) return fn();
  const starts = sessions.map((log) => log.hostUs());
  const note = (result: Awaited<T>) => {
    const ends = sessions.map((log) => log.hostUs());
    const op = describe(result);
    for (const [at, log] of sessions.entries()) {
      const startUs = starts[at] ?? 0;
      const timeUs = (ends[at] ?? startUs) - startUs;
      if (log.isOpen) log.add({ ...op, timeUs, source: "measured" }, startUs);
    }
  };
  const result = fn();
  if (result instanceof Promise) {
    return result.then((value) => {
      note(value);
      return value;
    }) as T;
  }
  note(result as Awaited<T>);
  return result;
}

function firstOpen(link: Link | undefined): Link | undefined {
  let open = link;
  while (open !== undefined && !open.log.isOpen) open = open.outer;
  return open;
}
