export { type AuditEntry, type AuditPage, type AuditRecord, auditLog } from "./audit-log.ts";
export { dayOf } from "./day-of.ts";
export { type FindingRecord, findings } from "./findings.ts";
export type { JsonObject } from "./json.ts";
export {
  acquireStoreLock,
  holdsStoreLock,
  type LockRequest,
  releaseStoreLock,
  renewStoreLock,
  type StoreLock,
} from "./locks.ts";
export { notes } from "./notes.ts";
export { openExistingStore } from "./open-existing-store.ts";
export { openStore, type StoreOptions } from "./open-store.ts";
export { storeProbe } from "./probe.ts";
export { readTimes } from "./read-times.ts";
export type { NewRow, RowsQuery, StoredRow } from "./rows.ts";
export type { Queryable, Schema, TokenRole } from "./schema.ts";
export type { Store, StoreDialect, StoreFacts, StoreLog } from "./store.ts";
export { type Token, type TokenPlace, tokens } from "./tokens.ts";
