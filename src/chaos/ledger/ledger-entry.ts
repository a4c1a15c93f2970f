import type { ProcessIdentity } from "../../platform/process/process-identity.ts";

/**
 * What takes a fault back: a name and plain data, never code, so that any later process can do it. Doing
 * it twice must be the same as doing it once.
 */
export interface Undo {
  /** What the executor goes by: `kill-process`, `delete-namespace`. */
  readonly kind: string;
  /** JSON. */
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * - `planned`: written down, perhaps in force: whoever wrote it may have died in between.
 * - `active`: in force.
 * - `reverted`: taken back.
 * - `failed`: the undo was tried and did not work; it is tried again by the next recovery.
 */
export const ledgerStates = ["planned", "active", "reverted", "failed"] as const;
export type LedgerState = (typeof ledgerStates)[number];

/** One injection, as its ledger knows it. */
export interface LedgerEntry {
  /** Unique in its run; counted from 1 in the order in which injections were planned. */
  readonly id: string;
  readonly run: string;
  /** A name of the catalogue. */
  readonly fault: string;
  /** For people: `rank 3`, `10.0.0.4 -> 10.0.0.5`. */
  readonly target: string;
  readonly undo: Undo;
  /** Who must take it back. */
  readonly owner: ProcessIdentity;
  /** Milliseconds since the Unix epoch; after that anybody may take it back. */
  readonly leaseUntilMs: number;
  readonly state: LedgerState;
  /** Why the last undo failed. */
  readonly problem: string | null;
}

/** What is to be broken, before it is. */
export interface Injection {
  readonly fault: string;
  readonly target: string;
  readonly undo: Undo;
}

/** Takes one fault back, or throws. Called again for what it has already done. */
export type UndoExecutor = (entry: LedgerEntry) => Promise<void>;
