import type { Selectable } from "kysely";
import { fromJsonText, type JsonObject, toJsonText } from "./json.ts";
import type { AuditTable, Queryable } from "./schema.ts";

/** Something that was done on purpose, and by whom. */
export interface AuditEntry {
  readonly atMs: number;
  /** A token's name, or `tessera` for what the control plane does by itself. */
  readonly actor: string;
  /** What was done: `start`, `stop`, `token.create`. */
  readonly action: string;
  /** What it was done to: a token's id, an address. */
  readonly subject: string;
  readonly details?: JsonObject;
}

export interface AuditRecord extends Required<AuditEntry> {
  /** Counts up; what came later has the greater one. */
  readonly id: number;
}

export interface AuditPage {
  /** How many at most. @default 100 */
  readonly limit?: number;
  /** Only what came before this record. @default the newest first */
  readonly beforeId?: number;
  /** Only of this one. */
  readonly actor?: string;
  /** Only what was done in this way. */
  readonly action?: string;
  /** Only from this time on. */
  readonly sinceMs?: number;
}

const pageMax = 1000;

/** What was done here, for ever: the engine itself refuses to change or remove a record. */
export const auditLog = {
  /** Adds a record. Give it a `trx` to make it part of the deed it tells of. */
  async append(db: Queryable, entry: AuditEntry): Promise<void> {
    const { atMs, actor, action, subject, details = {} } = entry;
    await db
      .insertInto("audit")
      .values({ at: atMs, actor, action, subject, details: toJsonText(details) })
      .execute();
  },

  /** Records, newest first; at most 1000 a page. */
  async list(db: Queryable, page: AuditPage = {}): Promise<AuditRecord[]> {
    let query = db.selectFrom("audit").selectAll().orderBy("id", "desc");
    if (page.beforeId !== undefined) query = query.where("id", "<", page.beforeId);
    if (page.actor !== undefined) query = query.where("actor", "=", page.actor);
    if (page.action !== undefined) query = query.where("action", "=", page.action);
    if (page.sinceMs !== undefined) query = query.where("at", ">=", page.sinceMs);
    const rows = await query.limit(Math.min(page.limit ?? 100, pageMax)).execute();
    return rows.map(toRecord);
  },
};

function toRecord({ at, details, ...rest }: Selectable<AuditTable>): AuditRecord {
  return { ...rest, atMs: at, details: fromJsonText(details) };
}
