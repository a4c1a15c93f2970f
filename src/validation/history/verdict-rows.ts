import type { NewRow, StoredRow } from "../../platform/store/index.ts";
import type { ClassifyFinding } from "../classify/index.ts";
import type { ResultOrigin, RunVerdict } from "../run.ts";

export function toVerdictRow(
  verdict: RunVerdict,
  origin: ResultOrigin | undefined,
): NewRow<"run_verdicts"> {
  return {
    run_id: verdict.runId,
    at: verdict.atMs,
    verdict: verdict.verdict,
    origin: origin ?? null,
    reason: verdict.reason,
    baseline_id: verdict.baselineId ?? null,
    findings: JSON.stringify(verdict.findings),
  };
}

export function toVerdict(row: Omit<StoredRow<"run_verdicts">, "seq">): RunVerdict {
  const findings: readonly ClassifyFinding[] = JSON.parse(row.findings);
  return {
    runId: row.run_id,
    atMs: row.at,
    verdict: row.verdict,
    reason: row.reason,
    findings,
    ...(row.baseline_id === null ? {} : { baselineId: row.baseline_id }),
    ...(row.origin === null ? {} : { about: row.origin }),
  };
}
