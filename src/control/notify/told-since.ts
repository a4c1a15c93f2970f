import {
  acquireStoreLock,
  holdsStoreLock,
  type Queryable,
  releaseStoreLock,
  type Store,
} from "../../platform/store/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { cursors } from "./subjects.ts";

/** By the name of a target, since when it is told. */
export type ToldSince = ReadonlyMap<string, number>;

const prefix = "target/";

/** Held by the one process that reads news and sends it. */
export const notifyingLock = { name: "notifications", ttlMs: 30_000 } as const;

/** A target that is new begins now, and so does one that begins later than now: a clock was set back. */
function toldSince(
  known: ToldSince,
  given: { readonly targets: readonly string[]; readonly nowMs: number },
): ToldSince {
  const { targets, nowMs } = given;
  return new Map(targets.map((name) => [name, Math.min(known.get(name) ?? nowMs, nowMs)]));
}

/**
 * Notes who is told now. A target that is left out is forgotten, so that it begins anew when it is
 * named again: what happened meanwhile is no news to it.
 */
export async function noteTargets(
  db: Queryable,
  given: { readonly targets: readonly string[]; readonly nowMs: number },
): Promise<ToldSince> {
  const rows = await db
    .selectFrom("notification_cursors")
    .select(["name", "seq"])
    .where("name", "like", `${prefix}%`)
    .execute();
  const known = new Map(rows.map(({ name, seq }) => [name.slice(prefix.length), seq]));
  const since = toldSince(known, given);
  for (const [name, sinceMs] of since) {
    if (known.get(name) !== sinceMs) await cursors.write(db, `${prefix}${name}`, sinceMs);
  }
  const gone = [...known.keys()].filter((name) => !since.has(name));
  if (gone.length > 0) {
    const names = gone.map((name) => `${prefix}${name}`);
    await db.deleteFrom("notification_cursors").where("name", "in", names).execute();
  }
  return since;
}

/**
 * Notes that nobody is told any more: whoever is named next begins where the records are then. False
 * while another process tells somebody; it may be about to end, so ask again.
 */
export async function noteNobody(
  store: Store,
  options: { readonly holder: string; readonly clock: Clock },
): Promise<boolean> {
  const { holder, clock } = options;
  const lock = await acquireStoreLock(store.db, { ...notifyingLock, holder, clock });
  if (lock === undefined) return false;
  const isNoted = await store.transaction(async (trx) => {
    if (!(await holdsStoreLock(trx, lock, clock))) return false;
    await trx.deleteFrom("notification_cursors").execute();
    return true;
  });
  await releaseStoreLock(store.db, lock);
  return isNoted;
}
