import assert from "node:assert/strict";
import type { Clock } from "../time/clock.ts";
import type { Queryable } from "./schema.ts";

export interface LockRequest {
  /** What is locked: `validation-loop`. */
  readonly name: string;
  /** Who wants it, unique to each process: whoever asks under the same name takes it over. */
  readonly holder: string;
  /** How long it is held without being renewed. */
  readonly ttlMs: number;
}

/** A lock that is held until `expiresAtMs`, unless it is renewed before. */
export interface StoreLock extends LockRequest {
  /**
   * Counts up with every new holder. Hand it to whatever the lock protects: what comes with a
   * smaller token than was seen before is from a holder that lost the lock without noticing.
   */
  readonly fencingToken: number;
  readonly expiresAtMs: number;
}

/**
 * Takes a lock when it is free, expired or already held by the same holder; undefined when someone
 * else has it. Expiry is judged by the clock given, so the clocks of all who share the lock must
 * agree to well within `ttlMs`; the fencing token holds even when they do not.
 */
export async function acquireStoreLock(
  db: Queryable,
  request: LockRequest & { readonly clock: Clock },
): Promise<StoreLock | undefined> {
  const { name, holder, ttlMs, clock } = request;
  assert(ttlMs > 0, "a lock is held for some time");
  const nowMs = clock.nowMs();
  const expiresAtMs = nowMs + ttlMs;
  // One statement, so that of several who try at once exactly one succeeds.
  const row = await db
    .insertInto("leader_locks")
    .values({ name, holder, expires_at: expiresAtMs, fencing_token: 1 })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet((lock) => ({
          holder,
          expires_at: expiresAtMs,
          fencing_token: lock("leader_locks.fencing_token", "+", 1),
        }))
        .where((lock) =>
          lock.or([
            lock("leader_locks.expires_at", "<=", nowMs),
            lock("leader_locks.holder", "=", holder),
          ]),
        ),
    )
    .returning("fencing_token")
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { name, holder, ttlMs, fencingToken: row.fencing_token, expiresAtMs };
}

/** Holds a lock for another `ttlMs`; undefined when it has expired or was taken over. */
export async function renewStoreLock(
  db: Queryable,
  lock: StoreLock,
  clock: Clock,
): Promise<StoreLock | undefined> {
  const nowMs = clock.nowMs();
  const expiresAtMs = nowMs + lock.ttlMs;
  const result = await db
    .updateTable("leader_locks")
    .set({ expires_at: expiresAtMs })
    .where("name", "=", lock.name)
    .where("fencing_token", "=", lock.fencingToken)
    .where("expires_at", ">", nowMs)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n ? { ...lock, expiresAtMs } : undefined;
}

/** Gives a lock back. False, and nothing changed, when it had been taken over. */
export async function releaseStoreLock(db: Queryable, lock: StoreLock): Promise<boolean> {
  // The row stays, because the count of fencing tokens must go on.
  const result = await db
    .updateTable("leader_locks")
    .set({ expires_at: 0 })
    .where("name", "=", lock.name)
    .where("fencing_token", "=", lock.fencingToken)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Whether a lock is still held. Asked inside the transaction that it protects, the answer holds
 * until that transaction ends.
 */
export async function holdsStoreLock(
  db: Queryable,
  lock: StoreLock,
  clock: Clock,
): Promise<boolean> {
  const row = await db
    .selectFrom("leader_locks")
    .select("fencing_token")
    .where("name", "=", lock.name)
    .where("fencing_token", "=", lock.fencingToken)
    .where("expires_at", ">", clock.nowMs())
    .executeTakeFirst();
  return row !== undefined;
}
