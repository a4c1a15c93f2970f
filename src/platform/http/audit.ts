import type { Caller } from "./auth/caller.ts";

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
}

/** Keeps what was changed and by whom. */
export interface AuditSink {
  record(entry: AuditEntry): Promise<void>;
}
