import type { Generated, Kysely } from "kysely";
import type { FindingState } from "../doctor/finding.ts";
import type { CampaignSchema } from "./schema-campaigns.ts";
import type { Fixed, JsonText, RowNumber, TimeMs } from "./schema-columns.ts";
import type { ExperimentSchema } from "./schema-experiments.ts";
import type { NotificationSchema } from "./schema-notifications.ts";
import type { RunSchema } from "./schema-runs.ts";

/** What a holder of a token may do, each role including those before it. */
export type TokenRole = "read" | "operate" | "inject" | "admin";

export interface MigrationTable {
  number: Fixed<number>;
  name: Fixed<string>;
  checksum: Fixed<string>;
  applied_at: Fixed<TimeMs>;
}

export interface MetaTable {
  key: Fixed<string>;
  value: string;
}

export interface AuditTable {
  id: RowNumber;
  at: Fixed<TimeMs>;
  actor: Fixed<string>;
  action: Fixed<string>;
  subject: Fixed<string>;
  details: Fixed<JsonText>;
}

export interface TokenTable {
  id: Fixed<string>;
  name: Fixed<string>;
  role: Fixed<TokenRole>;
  hash: Fixed<string>;
  created_at: Fixed<TimeMs>;
  expires_at: Fixed<TimeMs | null>;
  revoked_at: Generated<TimeMs | null>;
}

export interface DoctorFindingTable {
  id: RowNumber;
  at: Fixed<TimeMs>;
  probe: Fixed<string>;
  state: Fixed<FindingState>;
  reason: Fixed<string>;
  hint: Fixed<string | null>;
  evidence: Fixed<JsonText>;
}

export interface LeaderLockTable {
  name: Fixed<string>;
  holder: string;
  expires_at: TimeMs;
  fencing_token: number;
}

/** The tables of the store as the newest migration leaves them. */
export interface Schema extends RunSchema, CampaignSchema, ExperimentSchema, NotificationSchema {
  tessera_migrations: MigrationTable;
  meta: MetaTable;
  audit: AuditTable;
  tokens: TokenTable;
  doctor_findings: DoctorFindingTable;
  leader_locks: LeaderLockTable;
}

/** What a query is made on: the store's `db`, or the `trx` of a transaction. */
export type Queryable = Kysely<Schema>;
