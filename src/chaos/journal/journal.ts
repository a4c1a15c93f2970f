import type { Judgement } from "../judge/index.ts";
import type { ChaosPlan } from "../plan/index.ts";
import type { RunRecord } from "../record/index.ts";
import type { Trace } from "../sim/engine/index.ts";

export const journalFormat = "tessera-chaos-journal/1";

/** One run, written down so that it can be done again and compared. */
export interface Journal {
  /** What wrote it. */
  readonly tool: ToolVersions;
  /** Of the plan as canonical JSON. */
  readonly planHash: string;
  readonly plan: ChaosPlan;
  readonly record: RunRecord;
  /** Of the run without faults beside it; null: there was none. */
  readonly baseline: BaselineSummary | null;
  readonly judgement: Judgement;
  /** The trace with its marks on the way; null where the world kept none. */
  readonly trace: Omit<Trace, "window"> | null;
}

export interface ToolVersions {
  readonly tessera: string;
  readonly node: string;
}

export type BaselineSummary = Pick<RunRecord, "end" | "endUs" | "stateDigest" | "traceHash">;
