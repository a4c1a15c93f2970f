import type { ExperimentOutcome } from "../../platform/words.ts";
import type { ChaosPlan } from "../plan/index.ts";
import type { RunRecord } from "../record/index.ts";
import { analyzeRun, type RunAnalysis } from "./analysis.ts";
import { judgeGate } from "./gates.ts";
import { type Judgement, propertyNames, type RunMetrics } from "./judgement.ts";
import { runMetrics } from "./metrics/run-metrics.ts";
import { failedCleanly, neverStuck, recovered } from "./properties/ending.ts";
import { recoveryPath, timeLimits } from "./properties/expected.ts";
import { type Finding, finding } from "./properties/finding.ts";
import { falseAccepts, residualFaults, samplesOnce, stateEqual } from "./properties/integrity.ts";
import { steadyState } from "./properties/steady.ts";
import { aborted, blastRadius, effects } from "./properties/validity.ts";
import { reasonOf } from "./reason.ts";
import { signatureOf } from "./signature.ts";

/**
 * What a run proves, held against the same plan without faults. Pure: the same records give the same
 * judgement. One failed property fails the run; without one, anything that could not be decided makes it
 * inconclusive. What a run that was aborted has not reached is not held against it.
 */
export function judge(plan: ChaosPlan, record: RunRecord, baseline: RunRecord | null): Judgement {
  const analysis = analyzeRun(plan, record, baseline);
  const metrics = runMetrics(analysis);
  const findings = findingsOf(analysis, metrics);
  const outcome = outcomeOf(findings);
  const heaviest = findings.find((one) => one.outcome === outcome);
  return {
    outcome,
    reason: reasonOf(analysis, outcome, heaviest),
    findings: findings.map(({ property, outcome: own, reason }) => ({
      property,
      outcome: own,
      reason,
    })),
    recoveries: analysis.recoveries,
    metrics,
    signature:
      outcome === "pass" || heaviest === undefined ? null : signatureOf(heaviest, record, baseline),
  };
}

function findingsOf(analysis: RunAnalysis, metrics: RunMetrics): readonly Finding[] {
  const found = [
    residualFaults,
    falseAccepts,
    stateEqual,
    samplesOnce,
    recovered,
    failedCleanly,
    neverStuck,
    recoveryPath,
    timeLimits,
    steadyState,
    (one: RunAnalysis) => gates(one, metrics),
    effects,
    blastRadius,
    aborted,
  ].flatMap((property) => property(analysis));
  const weight = (one: Finding) => propertyNames.indexOf(one.property);
  return found.toSorted((a, b) => weight(a) - weight(b));
}

function gates({ plan, record }: RunAnalysis, metrics: RunMetrics): readonly Finding[] {
  if (record.end === "aborted") return [];
  return plan.expect.gates.map((gate) => {
    const { outcome, reason } = judgeGate(gate, metrics);
    return finding("gate", outcome, reason, `${gate.metric} breaks its gate`);
  });
}

function outcomeOf(findings: readonly Finding[]): ExperimentOutcome {
  const order = ["fail", "inconclusive"] as const;
  return order.find((outcome) => findings.some((one) => one.outcome === outcome)) ?? "pass";
}
