import type { ExperimentOutcome } from "../../platform/words.ts";
import type { Gate } from "../plan/index.ts";
import type { RunMetrics } from "./judgement.ts";
import { metricOf } from "./metrics/run-metrics.ts";

export interface GateFinding {
  readonly gate: Gate;
  readonly outcome: ExperimentOutcome;
  readonly reason: string;
}

/** A gate against the metrics of one run. What could not be measured passes no gate. */
export function judgeGate(gate: Gate, metrics: RunMetrics): GateFinding {
  const { metric, operator, bound } = gate;
  const value = metricOf(metrics, metric);
  if (value === undefined) {
    return { gate, outcome: "inconclusive", reason: `there is no metric named ${metric}` };
  }
  if (value === null) {
    const isCensored =
      metric === "recoverySeconds" && (metrics.more["recoveriesCensored"] ?? 0) > 0;
    if (isCensored && operator === "<=") {
      return {
        gate,
        outcome: "fail",
        reason: `the metric ${metric} has no bound: half of the recoveries did not end`,
      };
    }
    return { gate, outcome: "inconclusive", reason: `the metric ${metric} could not be measured` };
  }
  const holds = operator === "<=" ? value <= bound : value >= bound;
  const relation = operator === "<=" ? "at most" : "at least";
  return {
    gate,
    outcome: holds ? "pass" : "fail",
    reason: `the metric ${metric} is ${figure(value)}; ${relation} ${figure(bound)} is wanted`,
  };
}

/** Four digits are enough for a sentence. */
export function figure(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}
