import type { ChaosPlan } from "../plan/index.ts";
import type { RunRecord } from "../record/index.ts";
import type { Recovery } from "./judgement.ts";
import { type Lineage, lineageOf } from "./lineage.ts";
import { type MemoryFigures, memoryFigures } from "./metrics/fragmentation.ts";
import { type RequestFigures, requestFigures } from "./metrics/requests.ts";
import { type Rollback, rollbacksOf } from "./metrics/rollbacks.ts";
import { type StuckIncident, stuckIncidents } from "./metrics/stuck.ts";
import { type Throughput, throughputOf } from "./metrics/throughput.ts";
import { type CausedEpisode, causesOf } from "./recovery/causes.ts";
import { episodesOf } from "./recovery/episode.ts";
import { recoveriesOf } from "./recovery/recoveries.ts";
import { StepIndex } from "./recovery/step-index.ts";
import { type TimeSplit, timeSplitOf } from "./time-split.ts";

/** Everything that metrics, properties and plots read from a run, worked out once. */
export interface RunAnalysis {
  readonly plan: ChaosPlan;
  readonly record: RunRecord;
  readonly baseline: RunRecord | null;
  readonly lineage: Lineage;
  readonly split: TimeSplit;
  readonly baselineLineage: Lineage | null;
  readonly baselineSplit: TimeSplit | null;
  /** Null without a baseline that made something. */
  readonly throughput: Throughput | null;
  readonly caused: readonly CausedEpisode[];
  readonly recoveries: readonly Recovery[];
  readonly rollbacks: readonly Rollback[];
  readonly stuck: readonly StuckIncident[];
  readonly memory: MemoryFigures | null;
  readonly requests: RequestFigures | null;
}

export function analyzeRun(
  plan: ChaosPlan,
  record: RunRecord,
  baseline: RunRecord | null,
): RunAnalysis {
  const lineage = lineageOf(record);
  const split = timeSplitOf(record, lineage);
  const baselineLineage = baseline === null ? null : lineageOf(baseline);
  const baselineSplit =
    baseline === null || baselineLineage === null ? null : timeSplitOf(baseline, baselineLineage);
  const throughput =
    baselineSplit === null
      ? null
      : throughputOf(split, baselineSplit, { hasFinished: record.end === "finished" });
  const steps = new StepIndex(record.events);
  const causes = causesOf(record, episodesOf(record), steps);
  const recoveries = recoveriesOf({ record, lineage, throughput, causes, steps });
  return {
    plan,
    record,
    baseline,
    lineage,
    split,
    baselineLineage,
    baselineSplit,
    throughput,
    caused: causes.caused,
    recoveries,
    rollbacks: rollbacksOf(record, baseline),
    stuck: stuckIncidents(record, baselineSplit?.stepsUs ?? null),
    memory: memoryFigures(record.events, recoveries),
    requests: requestFigures(record.events),
  };
}
