import type { PlanAnswer } from "../../../hardware/api/index.ts";
import type { ScenarioResult } from "../../../hardware/harness/index.ts";

/** A result for programs: everything but the single requests. */
export function testDocument(result: ScenarioResult): object {
  const { record, judgement, startedAtMs, ...rest } = result;
  const { samples = [], ...recovery } = record ?? {};
  return {
    format: "tessera-hw-test/1",
    outcome: judgement.outcome,
    reason: judgement.reason,
    findings: judgement.findings,
    startedAt: new Date(startedAtMs).toISOString(),
    ...rest,
    recovery: record === undefined ? null : { ...recovery, requests: samples.length },
  };
}

/** What would happen, for people. */
export function showPlans(plans: readonly PlanAnswer[]): readonly string[] {
  const refusals = plans
    .flatMap(({ findings }) => findings)
    .filter(({ verdict }) => verdict === "refuse");
  return [
    ...plans.flatMap(({ text }) => [...text.trimEnd().split("\n"), ""]),
    refusals.length === 0
      ? "Nothing was changed. The test would be allowed."
      : `Nothing was changed. The test would be refused: ${refusals.map(({ reason }) => reason).join("; ")}.`,
  ];
}
