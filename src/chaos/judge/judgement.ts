import type { ExperimentOutcome } from "../../platform/words.ts";
import type { RecoveryPath, RecoveryPhase } from "../plan/index.ts";

/** What one run of a plan proves, beside its paired run without faults. */
export interface Judgement {
  readonly outcome: ExperimentOutcome;
  /** The one sentence for people: the heaviest finding, or what was proven. */
  readonly reason: string;
  readonly findings: readonly JudgementFinding[];
  readonly recoveries: readonly Recovery[];
  readonly metrics: RunMetrics;
  /**
   * The same for two failures of one kind: the property, the message without its numbers, and the kind
   * of the event where the run first left the one without faults. Null when it passed.
   */
  readonly signature: string | null;
}

export interface JudgementFinding {
  readonly property: PropertyName;
  readonly outcome: ExperimentOutcome;
  readonly reason: string;
}

/** What must hold, one name each; the order is the order of weight. */
export const propertyNames = [
  "residual-faults",
  "false-accept",
  "state-equal",
  "samples-once",
  "recovered",
  "failed-cleanly",
  "no-deadlock",
  "no-livelock",
  "recovery-path",
  "time-limit",
  "steady-state",
  "gate",
  "effect",
  "blast-radius",
  "aborted",
] as const;
export type PropertyName = (typeof propertyNames)[number];

/** How the job came out of one fault, or of several that overlap. */
export interface Recovery {
  /** Ids of the faults. */
  readonly faults: readonly string[];
  readonly path: RecoveryPath | null;
  readonly effectUs: number;
  /** When each phase ended; null: not within the run (censored). */
  readonly endsUs: Readonly<Record<RecoveryPhase, number | null>>;
  /** Steps that were done and had to be done again. */
  readonly stepsLost: number;
  readonly ranksRestarted: number;
  readonly ranksHit: number;
}

/** The metrics of a run; null: nothing to measure them by. Definitions: docs/chaos-metrics.md. */
export interface RunMetrics {
  /** Share of windows with at least 95 % of the baseline's median. */
  readonly throughputStability: number | null;
  /** Median over recoveries, effect to first committed step; censored ones count as longer than any. */
  readonly recoverySeconds: number | null;
  readonly rollbackSuccessRate: number | null;
  /** 95th percentile of inactive split over reserved bytes. */
  readonly memoryFragmentation: number | null;
  readonly deadlocks: number;
  readonly livelocks: number;
  /** Productive time over wall time, without waiting in a queue. */
  readonly ettr: number | null;
  /** Units that stayed, over those of the baseline in the same time. */
  readonly goodput: number | null;
  /** All further figures by name, for gates and plots. */
  readonly more: Readonly<Record<string, number | null>>;
}
