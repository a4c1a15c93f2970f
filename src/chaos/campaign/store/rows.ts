import type { NewRow, StoredRow } from "../../../platform/store/index.ts";
import { type Defect, defects } from "../../plan/index.ts";
import type { CampaignRun, CanaryRun } from "../campaign-part.ts";
import type { CampaignResult } from "../campaign-result.ts";
import type { RunSummary } from "../run-summary.ts";
import type { SwarmKind } from "../swarm/index.ts";

export function runRow(campaign: number, run: CampaignRun): NewRow<"chaos_runs"> {
  const { index, kind, ...summary } = run;
  return {
    campaign,
    run_index: index,
    kind,
    outcome: summary.outcome,
    signature: summary.signature,
    trace_hash: summary.traceHash,
    state_digest: summary.stateDigest,
    simulated_seconds: summary.seconds,
    summary: JSON.stringify(summary),
  };
}

export function runOf({
  run_index: index,
  kind,
  summary,
}: Pick<StoredRow<"chaos_runs">, "run_index" | "kind" | "summary">): CampaignRun {
  return { index, kind: kind as SwarmKind, ...(JSON.parse(summary) as RunSummary) };
}

export function canaryRow(campaign: number, canary: CanaryRun): NewRow<"chaos_canaries"> {
  return { campaign, defect: canary.defect, canary: JSON.stringify(canary) };
}

export function canaryOf({ canary }: Pick<StoredRow<"chaos_canaries">, "canary">): CanaryRun {
  return JSON.parse(canary) as CanaryRun;
}

/** Canaries in the order in which every campaign looks for them. */
export function inOrderOfDefects(canaries: readonly CanaryRun[]): readonly CanaryRun[] {
  const place = (defect: Defect): number => defects.indexOf(defect);
  return canaries.toSorted((one, other) => place(one.defect) - place(other.defect));
}

/** Plans of reproducers are left out: they are made again from the seed and the index. */
export function resultRow(
  campaign: number,
  result: CampaignResult,
  atMs: number,
): NewRow<"chaos_results"> {
  const { outcome, reason, runs, coverage } = result;
  return {
    campaign,
    at: atMs,
    outcome,
    reason,
    runs,
    coverage: JSON.stringify(coverage),
    result: JSON.stringify(result),
  };
}
