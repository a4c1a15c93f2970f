import type { Caller } from "./auth/caller.ts";

/** What a call is about beyond its target: the role that is granted, the node that is broken. */
export type AuditDetails = Readonly<Record<string, string | number | boolean>>;

/** One changing call, as the audit log keeps it. */
export interface AuditEntry {
  /** `token.create`, `doctor.run`. */
  readonly action: string;
  readonly caller: Caller;
  /** What it was done to, if that can be named. */
  readonly target?: string;
  /** `refused` when the caller may not or the request was wrong, `failed` when Tessera could not. */
  readonly outcome: "done" | "refused" | "failed";
  /** The error's code, when it was not done. */
  readonly code?: string;
  /** Why it was not done, or that nobody knows whether it was, in words. */
  readonly problem?: string;
  readonly requestId: string;
  /** Where it came from. */
  readonly address: string;
  readonly details?: AuditDetails;
}

/** A changing call that is about to be done. */
export type AuditIntent = Omit<AuditEntry, "outcome" | "code" | "problem">;

/** Keeps what was changed and by whom. */
export interface AuditSink {
  /**
   * Keeps that something is about to be done. It is not done unless this resolves, so that nothing is done that the
   * log knows nothing of. @default nothing is kept before a deed
   */
  begin?(intent: AuditIntent): Promise<void>;
  record(entry: AuditEntry): Promise<void>;
}
