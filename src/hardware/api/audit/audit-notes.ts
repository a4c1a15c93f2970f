import type { Caller } from "../../../platform/http/index.ts";

/** What a call turned out to be about. */
export interface AuditNote {
  readonly verb?: string;
  /** The namespace under test. */
  readonly namespace?: string;
  readonly run?: string;
  /** The fault's name. */
  readonly fault?: string;
}

/** Notes about calls under way. Each call has a caller object of its own, and its note goes with it. */
export interface AuditNotes {
  /** Adds to what is known about this call. */
  add(caller: Caller, note: AuditNote): void;
  of(caller: Caller): AuditNote;
}

export function createAuditNotes(): AuditNotes {
  const notes = new WeakMap<Caller, AuditNote>();
  const of = (caller: Caller) => notes.get(caller) ?? {};
  return { of, add: (caller, note) => notes.set(caller, { ...of(caller), ...note }) };
}
