import assert from "node:assert/strict";
import {
  type ExperimentOutcome,
  experimentOutcomes,
  type Provenance,
} from "../../platform/words.ts";
import type { Gate } from "../plan/index.ts";
import type { RunRecord } from "../record/index.ts";
import { figure, type GateFinding } from "./gates.ts";
import type { Judgement } from "./judgement.ts";
import { jobEndUs } from "./lineage.ts";
import { metricNames } from "./metrics/metric-table.ts";
import { phaseDurations } from "./metrics/recovery-times.ts";
import { metricOf } from "./metrics/run-metrics.ts";
import {
  clopperPearson,
  type Interval,
  kaplanMeier,
  quantile,
  type Survival,
} from "./stats/index.ts";

/** A run with what was made of it. */
export interface JudgedRun {
  readonly record: RunRecord;
  readonly judgement: Judgement;
}

/** One metric over many runs. */
export interface MetricSummary {
  readonly name: string;
  /** Runs that have it. */
  readonly n: number;
  /** Runs in which it could not be measured. */
  readonly missing: number;
  readonly median: number;
  readonly p95: number;
  /** 95 % interval of the median, by order alone; null for fewer than six runs. */
  readonly interval: Interval | null;
}

/** What many runs say together. Only runs of one kind of time may stand in one summary. */
export interface RunsSummary {
  readonly provenance: Provenance | null;
  readonly runs: number;
  readonly outcomes: Readonly<Record<ExperimentOutcome, number>>;
  /** By name; those that no run has are left out. */
  readonly metrics: readonly MetricSummary[];
  /** Recovery times in seconds, effect to first step, of all recoveries. */
  readonly recovery: Survival;
  /** Rollbacks of all runs, with the exact interval of their success. */
  readonly rollbacks: {
    readonly attempts: number;
    readonly successes: number;
    readonly interval: Interval;
  };
}

export function summarizeRuns(runs: readonly JudgedRun[]): RunsSummary {
  const provenances = new Set(runs.map(({ record }) => record.provenance));
  assert(provenances.size <= 1, "measured and simulated times are never added up together");
  const count = (outcome: ExperimentOutcome) =>
    runs.filter(({ judgement }) => judgement.outcome === outcome).length;
  const attempts = sumOf(runs, "rollbackAttempts");
  const successes = runs.reduce((sum, { judgement: { metrics } }) => {
    const own = metrics.more["rollbackAttempts"] ?? 0;
    return sum + Math.round((metrics.rollbackSuccessRate ?? 0) * own);
  }, 0);
  return {
    provenance: [...provenances][0] ?? null,
    runs: runs.length,
    outcomes: Object.fromEntries(
      experimentOutcomes.map((outcome) => [outcome, count(outcome)]),
    ) as Record<ExperimentOutcome, number>,
    metrics: metricNames.flatMap((name) => summaryOf(name, runs)),
    recovery: kaplanMeier(
      runs.flatMap(({ judgement, record }) =>
        phaseDurations(judgement.recoveries, "first", jobEndUs(record)),
      ),
    ),
    rollbacks: { attempts, successes, interval: clopperPearson(successes, attempts) },
  };
}

function sumOf(runs: readonly JudgedRun[], name: string): number {
  return runs.reduce((sum, { judgement }) => sum + (metricOf(judgement.metrics, name) ?? 0), 0);
}

function summaryOf(name: string, runs: readonly JudgedRun[]): readonly MetricSummary[] {
  const values: number[] = [];
  for (const { judgement } of runs) {
    const value = metricOf(judgement.metrics, name);
    if (typeof value === "number") values.push(value);
  }
  const [median, p95] = [quantile(values, 0.5), quantile(values, 0.95)];
  if (median === null || p95 === null) return [];
  const { length: n } = values;
  return [{ name, n, missing: runs.length - n, median, p95, interval: medianInterval(values) }];
}

/**
 * The interval that holds the median with 95 %, whatever the values are distributed like: between two of
 * them in order, as many from each end as a fair coin rarely falls short of.
 */
export function medianInterval(values: readonly number[]): Interval | null {
  const sorted = values.toSorted((a, b) => a - b);
  const n = sorted.length;
  // P(fewer than k of n fall below the median), from the term before; of many, by the normal curve.
  let cut = 0;
  if (n <= 1000) {
    let term = 0.5 ** n;
    let below = term;
    while (below <= 0.025) {
      cut++;
      term = (term * (n - cut + 1)) / cut;
      below += term;
    }
  } else {
    cut = Math.max(0, Math.floor(n / 2 - 0.98 * Math.sqrt(n)));
  }
  const [low, high] = [sorted[cut - 1], sorted[n - cut]];
  return cut === 0 || low === undefined || high === undefined ? null : { low, high };
}

/**
 * A gate against the median of many runs: it holds when the whole interval does, is broken when the whole
 * interval breaks it, and is undecided in between. Runs without the metric count as undecided.
 */
export function judgeGateOverRuns(gate: Gate, summary: RunsSummary): GateFinding {
  const { metric, operator, bound } = gate;
  const found = summary.metrics.find(({ name }) => name === metric);
  const undecided = (reason: string) => ({ gate, outcome: "inconclusive" as const, reason });
  if (found === undefined)
    return undecided(`the metric ${metric} could not be measured in any run`);
  if (found.interval === null) {
    return undecided(`the metric ${metric} is known of ${found.n} runs only; six are needed`);
  }
  const { low, high } = found.interval;
  const holds = (value: number) => (operator === "<=" ? value <= bound : value >= bound);
  const span = `median ${figure(found.median)}, ${figure(low)} to ${figure(high)} with 95 % over ${found.n} runs`;
  const wanted = `${operator === "<=" ? "at most" : "at least"} ${figure(bound)} is wanted`;
  const reason = `the metric ${metric} has ${span}; ${wanted}`;
  if (holds(low) && holds(high)) {
    if (found.missing === 0) return { gate, outcome: "pass", reason };
    return undecided(`${reason}; ${found.missing} runs do not have it`);
  }
  return holds(low) || holds(high) ? undecided(reason) : { gate, outcome: "fail", reason };
}
