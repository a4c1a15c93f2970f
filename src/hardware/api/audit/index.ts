export { type AuditNotes, createAuditNotes } from "./audit-notes.ts";
export { createAuditTrail } from "./audit-trail.ts";
