import type { ExperimentOutcome } from "../words.ts";
import type { Fixed, JsonText, RowNumber, TimeMs } from "./schema-columns.ts";

/** A chaos campaign that somebody gave a name. */
export interface ChaosCampaignTable {
  seq: RowNumber;
  name: Fixed<string>;
  seed: Fixed<string>;
  /** Of the program that makes its runs. */
  version: Fixed<string>;
  begun_at: Fixed<TimeMs>;
}

/** One run of a campaign; a run that is made twice is one row. */
export interface ChaosRunTable {
  campaign: Fixed<number>;
  run_index: Fixed<number>;
  kind: Fixed<string>;
  outcome: Fixed<ExperimentOutcome>;
  signature: Fixed<string | null>;
  trace_hash: Fixed<string | null>;
  state_digest: Fixed<string | null>;
  /** In the time of the simulated world. */
  simulated_seconds: Fixed<number>;
  /** All that a campaign keeps of a run, also what is in the other columns. */
  summary: Fixed<JsonText>;
}

/** A bug planted on purpose, and what became of the hunt for it. */
export interface ChaosCanaryTable {
  campaign: Fixed<number>;
  defect: Fixed<string>;
  canary: Fixed<JsonText>;
}

/** What a campaign had found when it last came to its end. */
export interface ChaosResultTable {
  campaign: Fixed<number>;
  at: TimeMs;
  outcome: ExperimentOutcome;
  reason: string;
  runs: number;
  coverage: JsonText;
  result: JsonText;
}

export interface CampaignSchema {
  chaos_campaigns: ChaosCampaignTable;
  chaos_runs: ChaosRunTable;
  chaos_canaries: ChaosCanaryTable;
  chaos_results: ChaosResultTable;
}
