import type { Provenance, RunOutcome, Verdict } from "../words.ts";
import type { Fixed, JsonText, RowNumber, TimeMs } from "./schema-columns.ts";

/** A run as it was decided, before anything was submitted. */
export interface RunIntentTable {
  seq: RowNumber;
  id: Fixed<string>;
  cluster: Fixed<string>;
  node: Fixed<string>;
  check_name: Fixed<string>;
  planned_at: Fixed<TimeMs>;
  job_name: Fixed<string>;
  purpose: Fixed<string>;
  reason: Fixed<string>;
  policy: Fixed<string>;
  sku: Fixed<string>;
  rack: Fixed<string>;
  file_system: Fixed<string>;
  gpus: Fixed<number>;
  gpu_hours: Fixed<number>;
  provenance: Fixed<Provenance>;
}

/** What was noticed about a run's job; one row for each phase. */
export interface RunNoteTable {
  seq: RowNumber;
  run_id: Fixed<string>;
  phase: Fixed<"submitted" | "running" | "cancelling">;
  at: Fixed<TimeMs>;
  reason: Fixed<string | null>;
  outcome: Fixed<RunOutcome | null>;
}

/** How a run ended; one row for each who may say so. */
export interface RunResultTable {
  seq: RowNumber;
  run_id: Fixed<string>;
  origin: Fixed<"pod" | "loop">;
  recorded_at: Fixed<TimeMs>;
  outcome: Fixed<RunOutcome>;
  started_at: Fixed<TimeMs | null>;
  ended_at: Fixed<TimeMs>;
  error: Fixed<string | null>;
  cohort: Fixed<string | null>;
  hard_facts: Fixed<JsonText>;
  figures: Fixed<JsonText>;
  facts: Fixed<JsonText>;
}

/** How a result came in; one row for each way. */
export interface RunHandInTable {
  seq: RowNumber;
  run_id: Fixed<string>;
  way: Fixed<"post" | "file">;
  at: Fixed<TimeMs>;
  digest: Fixed<string>;
}

/** Conclusions about runs; the newest of a run counts. */
export interface RunVerdictTable {
  seq: RowNumber;
  run_id: Fixed<string>;
  at: Fixed<TimeMs>;
  verdict: Fixed<Verdict>;
  /** Whose result was judged; null when there was none. */
  origin: Fixed<"pod" | "loop" | null>;
  reason: Fixed<string>;
  baseline_id: Fixed<string | null>;
  findings: Fixed<JsonText>;
}

export interface NodeEventTable {
  seq: RowNumber;
  cluster: Fixed<string>;
  node: Fixed<string>;
  at: Fixed<TimeMs>;
  kind: Fixed<string>;
  /** Of the details: the same event told twice is one event. */
  digest: Fixed<string>;
  details: Fixed<JsonText>;
}

export interface BaselineTable {
  seq: RowNumber;
  id: Fixed<string>;
  sku: Fixed<string>;
  check_name: Fixed<string>;
  cohort: Fixed<string>;
  made_at: Fixed<TimeMs>;
  expires_at: Fixed<TimeMs>;
  figures: Fixed<JsonText>;
  provenance: Fixed<JsonText>;
}

/** The life of a baseline; its newest row says where it stands. */
export interface BaselineChangeTable {
  seq: RowNumber;
  baseline_id: Fixed<string>;
  state: Fixed<string>;
  at: Fixed<TimeMs>;
  actor: Fixed<string>;
  reason: Fixed<string>;
}

/** Every leader's fence that planned for a cluster; the greatest is the leader's. */
export interface LeaderFenceTable {
  cluster: Fixed<string>;
  fence: Fixed<number>;
}

/** Runs without a result. Follows from the records. */
export interface OpenRunTable {
  run_id: Fixed<string>;
  cluster: Fixed<string>;
  node: Fixed<string>;
}

/** Runs whose result nobody has judged. Follows from the records. */
export interface UnjudgedRunTable {
  run_id: Fixed<string>;
  cluster: Fixed<string>;
  ended_at: TimeMs;
}

/** Of each pair the run that ended last and the one that completed last. Follows from the records. */
export interface LatestRunTable {
  cluster: Fixed<string>;
  check_name: Fixed<string>;
  node: Fixed<string>;
  ended_at: TimeMs;
  ended_run: string;
  completed_at: TimeMs | null;
  completed_run: string | null;
}

export interface RunSchema {
  run_intents: RunIntentTable;
  run_notes: RunNoteTable;
  run_results: RunResultTable;
  run_hand_ins: RunHandInTable;
  run_verdicts: RunVerdictTable;
  node_events: NodeEventTable;
  baselines: BaselineTable;
  baseline_changes: BaselineChangeTable;
  leader_fences: LeaderFenceTable;
  open_runs: OpenRunTable;
  unjudged_runs: UnjudgedRunTable;
  latest_runs: LatestRunTable;
}
