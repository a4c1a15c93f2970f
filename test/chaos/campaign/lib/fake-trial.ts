import type { JudgedRun, Trial } from "../../../../src/chaos/journal/index.ts";
import type { ChaosPlan } from "../../../../src/chaos/plan/index.ts";
import type { ExperimentOutcome } from "../../../../src/platform/words.ts";

export interface FakeEnd {
  readonly outcome: ExperimentOutcome;
  readonly signature?: string;
  readonly traceHash?: string;
}

/** A trial that runs nothing: how a plan ends is looked up. */
export function fakeTrial(endOf: (plan: ChaosPlan) => FakeEnd): Trial {
  return async (plan) => fakeRun(plan, endOf(plan));
}

export function fakeRun(plan: ChaosPlan, end: FakeEnd): JudgedRun {
  const { outcome, signature = outcome === "pass" ? null : outcome, traceHash = "0" } = end;
  return {
    plan,
    baseline: null,
    record: {
      world: "sim",
      provenance: "simulated",
      plan,
      events: [{ atUs: 1, kind: "sometimes", mark: "gave up" }],
      injections: plan.faults.map(({ id, fault }) => ({
        id,
        fault,
        target: "rank 0",
        injectedUs: 1,
        effectUs: 2,
        effect: "seen",
        revertedUs: 3,
        ranks: [0],
      })),
      residualFaults: [],
      end: "finished",
      endUs: 2_000_000,
      stateDigest: "sha256:0",
      traceHash,
      probes: [],
      notes: [],
    },
    judgement: {
      outcome,
      reason: `it ended with ${outcome}`,
      findings: [],
      recoveries: [],
      metrics: {
        throughputStability: null,
        recoverySeconds: 1.5,
        rollbackSuccessRate: null,
        memoryFragmentation: null,
        deadlocks: 0,
        livelocks: 0,
        ettr: null,
        goodput: 0.5,
        more: {},
      },
      signature,
    },
  };
}

/** Everything is as it must be: planted bugs fail, all else passes. */
export const honest = fakeTrial(({ defects }) =>
  defects.length > 0 ? { outcome: "fail", signature: "planted" } : { outcome: "pass" },
);
