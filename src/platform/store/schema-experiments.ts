import type { ExperimentOutcome } from "../words.ts";
import type { Fixed, JsonText, RowNumber, TimeMs } from "./schema-columns.ts";

/** A chaos experiment that a control plane was asked for. */
export interface ExperimentTable {
  seq: RowNumber;
  id: Fixed<string>;
  title: Fixed<string>;
  world: Fixed<string>;
  seed: Fixed<string>;
  state: string;
  outcome: ExperimentOutcome | null;
  reason: string | null;
  /** Names of faults, each once. */
  faults: JsonText;
  started_by: Fixed<string>;
  started_at: Fixed<TimeMs>;
  ended_at: TimeMs | null;
  /** The process that runs it, or looks for what makes it fail. */
  holder: string;
  /** When that process last said that it does. */
  seen_at: TimeMs;
  phase: string | null;
  /** The file. */
  text: Fixed<string>;
  plan: JsonText;
  /** What came of it; null until then. */
  detail: JsonText | null;
  /** The page for people, packed; null without a run. */
  report: string | null;
  /** The smallest that fails the same way; null: nobody asked. */
  reproducer: JsonText | null;
}

/** What happened in one, in order; only the newest are kept. */
export interface ExperimentEventTable {
  experiment: Fixed<number>;
  seq: Fixed<number>;
  event: Fixed<JsonText>;
}

/** What was foretold of a hardware fault when it was asked for. */
export interface HardwarePlanTable {
  seq: RowNumber;
  fault_id: Fixed<string>;
  at: Fixed<TimeMs>;
  plan: Fixed<JsonText>;
}

export interface ExperimentSchema {
  experiments: ExperimentTable;
  experiment_events: ExperimentEventTable;
  hardware_plans: HardwarePlanTable;
}
