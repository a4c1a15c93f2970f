import type { AuditSink } from "../../../platform/http/index.ts";
import type { Logger } from "../../../platform/log/index.ts";
import { auditLog, type Store } from "../../../platform/store/index.ts";
import type { Clock } from "../../../platform/time/index.ts";
import type { AuditNotes } from "./audit-notes.ts";

export interface AuditTrailOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Pick<Logger, "info" | "warn">;
  readonly notes: AuditNotes;
}

/** Anybody can be refused as often as they like; so many of these a minute are kept for ever. */
const strangersKeptAMinute = 60;
const minuteMs = 60_000;

/**
 * Writes every call into the store and the log, with the name that the API server knows the caller
 * by. Calls without an accepted token are all in the log; of many in a row some are left out of the
 * store, and the next that is kept says how many.
 */
export function createAuditTrail({ store, clock, log, notes }: AuditTrailOptions): AuditSink {
  const strangers = createBudget(clock);
  return {
    record: async (entry) => {
      const { action, caller, target, outcome, code, problem, requestId } = entry;
      const note = notes.of(caller);
      const facts = {
        outcome,
        requestId,
        ...note,
        ...(code === undefined ? {} : { code }),
        ...(problem === undefined ? {} : { problem }),
      };
      const line = { user: caller.name, action, ...facts };
      if (outcome === "done") log.info(line, "audit");
      else log.warn(line, "audit");
      const isStranger = !("user" in caller);
      const leftOut = isStranger ? strangers.take() : 0;
      if (leftOut === undefined) return;
      await auditLog.append(store.db, {
        atMs: clock.nowMs(),
        actor: caller.name,
        action,
        subject: target ?? note.fault ?? note.run ?? note.namespace ?? "",
        details: leftOut === 0 ? facts : { ...facts, leftOut },
      });
    },
  };
}

/** How many were left out before this one; undefined when this one is left out too. */
function createBudget(clock: Clock): { take(): number | undefined } {
  let startedMs = Number.NEGATIVE_INFINITY;
  let taken = 0;
  let leftOut = 0;
  return {
    take: () => {
      if (clock.monotonicMs() - startedMs >= minuteMs) {
        startedMs = clock.monotonicMs();
        taken = 0;
      }
      if (taken >= strangersKeptAMinute) {
        leftOut++;
        return undefined;
      }
      taken++;
      const before = leftOut;
      leftOut = 0;
      return before;
    },
  };
}
