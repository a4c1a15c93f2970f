import type { ExperimentRun } from "../../chaos/experiment/index.ts";

const usPerS = 1_000_000;

/** What `tessera chaos run --json` prints. Times are seconds from the start of the workload. */
export function runDocument({ plan, record, baseline, judgement }: ExperimentRun): object {
  const { metrics } = judgement;
  return {
    outcome: judgement.outcome,
    reason: judgement.reason,
    title: plan.title,
    world: record.world,
    source: record.provenance,
    seed: plan.seed,
    traceHash: record.traceHash,
    stateDigest: record.stateDigest,
    baselineDigest: baseline?.stateDigest ?? null,
    residualFaults: record.residualFaults,
    faults: record.injections.map((one) => ({
      name: one.fault,
      target: one.target,
      injectedAt: seconds(one.injectedUs),
      effectAt: seconds(one.effectUs),
      revertedAt: seconds(one.revertedUs),
      id: one.id,
      effect: one.effect,
      ranks: one.ranks,
    })),
    metrics,
    recoveries: judgement.recoveries.map(({ faults, path, effectUs, endsUs, ...counts }) => ({
      faults,
      path,
      effectAt: seconds(effectUs),
      endsAt: Object.fromEntries(
        Object.entries(endsUs).map(([phase, endUs]) => [phase, seconds(endUs)]),
      ),
      ...counts,
    })),
    findings: judgement.findings,
    signature: judgement.signature,
    claim: plan.expect.claim,
    end: record.end,
    endedAt: seconds(record.endUs),
    notes: record.notes,
  };
}

function seconds(us: number | null): number | null {
  return us === null ? null : us / usPerS;
}
