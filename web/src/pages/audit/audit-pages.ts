import type { AuditEntryView } from "../../../../src/control/api/system.ts";

/** A stretch of the audit log without gaps, newest first, and where it goes on. */
export interface AuditPage {
  readonly entries: readonly AuditEntryView[];
  /** Null: there is nothing older. */
  readonly next: number | null;
}

/** A page that stays open for weeks grows no further by itself; older ones are asked for again. */
export const entriesMax = 1_000;

/**
 * What is kept after the newest page was asked for again. Entries that it no longer holds stay; only when
 * more came than fit into it, so that what lies between is not known, it begins anew.
 */
export function withNewest(kept: AuditPage, newest: AuditPage): AuditPage {
  const known = new Set(newest.entries.map(({ id }) => id));
  const touches = newest.next === null || kept.entries.some(({ id }) => known.has(id));
  if (!touches) return newest;
  const rest = kept.entries.filter(({ id }) => !known.has(id));
  const all = [...newest.entries, ...rest];
  const entries = all.slice(0, Math.max(entriesMax, kept.entries.length));
  const oldest = entries.at(-1);
  if (entries.length < all.length && oldest !== undefined) return { entries, next: oldest.id };
  return { entries, next: rest.length === 0 ? newest.next : kept.next };
}

/** What is kept after the page behind it came. */
export function withOlder(kept: AuditPage, older: AuditPage): AuditPage {
  const known = new Set(kept.entries.map(({ id }) => id));
  const more = older.entries.filter(({ id }) => !known.has(id));
  return { entries: [...kept.entries, ...more], next: older.next };
}
