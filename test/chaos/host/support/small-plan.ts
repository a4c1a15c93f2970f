import { resolveParams } from "../../../../src/chaos/fault/catalogue/index.ts";
import type { FaultName } from "../../../../src/chaos/fault/fault-names.ts";
import {
  type ChaosPlan,
  noPhaseLimits,
  type PlannedFault,
  type Target,
  type TrainingWorkload,
  type Trigger,
} from "../../../../src/chaos/plan/index.ts";

const job: TrainingWorkload["job"] = {
  model: { kind: "mlp", inputs: 4, hidden: [16, 16, 16], outputs: 4 },
  optimizer: { kind: "adamW", learningRate: 0.01 },
  batch: 24,
  seed: "small",
  accumulate: "exact",
  data: { samples: 240 },
};

export interface Wanted {
  readonly shape?: Partial<TrainingWorkload["shape"]>;
  readonly steps?: number;
  readonly every?: number;
  readonly policy?: Partial<TrainingWorkload["policy"]>;
  readonly faults?: readonly PlannedFault[];
  readonly fleet?: Partial<ChaosPlan["fleet"]>;
  readonly timeouts?: Partial<ChaosPlan["timeouts"]>;
  readonly defects?: ChaosPlan["defects"];
  readonly checkpoint?: Partial<TrainingWorkload["checkpoint"]>;
}

/** A job of a few steps that real processes do in a moment. */
export function smallPlan(wanted: Wanted = {}): ChaosPlan {
  const shape = { dp: 2, tp: 1, pp: 1, ...wanted.shape };
  const ranks = shape.dp * shape.tp * shape.pp;
  return {
    format: "tessera-chaos-plan/1",
    title: "a test",
    seed: "7",
    workload: {
      kind: "training",
      job,
      shape,
      steps: wanted.steps ?? 12,
      checkpoint: {
        everySteps: wanted.every ?? 4,
        keep: 3,
        asynchronous: false,
        ...wanted.checkpoint,
      },
      policy: {
        onFailure: "drainThenResume",
        restartsMax: 3,
        resumeAfterUs: null,
        onPreempt: { action: "checkpointThenExit", graceUs: 20_000_000 },
        compareEverySteps: 0,
        ...wanted.policy,
      },
      numerics: "real",
      pace: {
        computeUs: 1000,
        jitter: 0,
        startUs: 300_000,
        rendezvousUs: 50_000,
        saveUs: 20_000,
        loadUs: 20_000,
        repairUs: null,
      },
    },
    fleet: { nodes: ranks, devicesPerNode: 1, nodesPerRack: 8, spareNodes: 0, ...wanted.fleet },
    timeouts: {
      heartbeatEveryUs: 500_000,
      heartbeatUs: 4_000_000,
      collectiveUs: 3_000_000,
      rendezvousUs: 60_000_000,
      saveUs: 20_000_000,
      loadUs: 20_000_000,
      drainUs: 5_000_000,
      ...wanted.timeouts,
    },
    faults: wanted.faults ?? [],
    steadyState: [],
    expect: {
      claim: "inside",
      recovery: null,
      within: noPhaseLimits,
      integrity: "bitwise",
      gates: [],
    },
    limits: { durationUs: 120_000_000, targetsMax: 8, abortWhen: [] },
    defects: wanted.defects ?? [],
  };
}

/** One fault of a plan, with the catalogue's defaults. */
export function planned(
  fault: FaultName,
  target: Target,
  about: {
    readonly trigger: Trigger;
    readonly params?: Record<string, unknown>;
    readonly forUs?: number;
  },
): PlannedFault {
  return {
    id: `${fault}-1`,
    fault,
    params: resolveParams(fault, about.params ?? {}),
    targets: [target],
    trigger: about.trigger,
    durationUs: about.forUs ?? null,
  };
}

export const rank = (number: number): Target => ({ kind: "rank", rank: number });
export const atStep = (step: number): Trigger => ({ kind: "step", step });
