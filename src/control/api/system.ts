/** What the platform's own routes answer with, for the dashboard. */
export type { AuditEntryView } from "../../platform/http/routes/audit.ts";
export type {
  DoctorHistoryView,
  DoctorView,
  FindingView,
} from "../../platform/http/routes/doctor.ts";
export type { StatusView } from "../../platform/http/routes/status.ts";
export type { TokenListView, TokenView } from "../../platform/http/routes/tokens.ts";
