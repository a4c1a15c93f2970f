import { type FaultParams, resolveParams } from "../../../../../src/chaos/fault/catalogue/index.ts";
import type { FaultName } from "../../../../../src/chaos/fault/fault-names.ts";
import {
  type ChaosPlan,
  noPhaseLimits,
  type PlannedFault,
  type Target,
  type TrainingWorkload,
  type Trigger,
} from "../../../../../src/chaos/plan/index.ts";
import type { JobEvent, RunRecord } from "../../../../../src/chaos/record/index.ts";
import { createSimWorld } from "../../../../../src/chaos/sim/index.ts";
import type { JobOptions } from "../../../../../src/runtime/training/index.ts";

export const smallJob: JobOptions = {
  model: { kind: "mlp", inputs: 4, hidden: [8], outputs: 3 },
  optimizer: { kind: "adamW", learningRate: 0.01 },
  batch: 24,
  seed: 11,
  data: { samples: 96 },
};

export interface PlanChanges {
  readonly seed?: string;
  readonly workload?: Partial<TrainingWorkload>;
  readonly fleet?: Partial<ChaosPlan["fleet"]>;
  readonly timeouts?: Partial<ChaosPlan["timeouts"]>;
  readonly faults?: readonly PlannedFault[];
  readonly defects?: ChaosPlan["defects"];
  readonly durationUs?: number;
}

export const policy: TrainingWorkload["policy"] = {
  onFailure: "drainThenResume",
  restartsMax: 5,
  resumeAfterUs: null,
  onPreempt: { action: "checkpointThenExit", graceUs: 30_000_000 },
  compareEverySteps: 0,
};

export const workload: TrainingWorkload = {
  kind: "training",
  job: smallJob,
  shape: { dp: 4, tp: 1, pp: 1 },
  steps: 24,
  checkpoint: { everySteps: 8, keep: 3, asynchronous: false },
  policy,
  numerics: "real",
  pace: {
    computeUs: 100_000,
    jitter: 0.02,
    startUs: 500_000,
    rendezvousUs: 100_000,
    saveUs: 200_000,
    loadUs: 300_000,
    repairUs: 20_000_000,
  },
};

/** A plan of four ranks on two nodes, unless told otherwise. */
export function planOf(changes: PlanChanges = {}): ChaosPlan {
  return {
    format: "tessera-chaos-plan/1",
    title: "a test",
    seed: changes.seed ?? "seed",
    workload: { ...workload, ...changes.workload },
    fleet: { nodes: 2, devicesPerNode: 2, nodesPerRack: 2, spareNodes: 0, ...changes.fleet },
    timeouts: {
      heartbeatEveryUs: 500_000,
      heartbeatUs: 2_000_000,
      collectiveUs: 5_000_000,
      rendezvousUs: 60_000_000,
      saveUs: 10_000_000,
      loadUs: 20_000_000,
      drainUs: 2_000_000,
      ...changes.timeouts,
    },
    faults: changes.faults ?? [],
    steadyState: [],
    expect: {
      claim: "inside",
      recovery: null,
      within: noPhaseLimits,
      integrity: "bitwise",
      gates: [],
    },
    limits: { durationUs: changes.durationUs ?? 600_000_000, targetsMax: 64, abortWhen: [] },
    defects: changes.defects ?? [],
  };
}

export function faultOf<Name extends FaultName>(
  fault: Name,
  o: {
    readonly at?: Trigger;
    readonly targets?: readonly Target[];
    readonly forUs?: number | null;
    readonly params?: Partial<FaultParams<Name>>;
    readonly id?: string;
  } = {},
): PlannedFault {
  return {
    id: o.id ?? fault,
    fault,
    params: resolveParams(fault, o.params ?? {}),
    targets: o.targets ?? [{ kind: "rank", rank: 1 }],
    trigger: o.at ?? { kind: "step", step: 12 },
    durationUs: o.forUs === undefined ? 3_000_000 : o.forUs,
  };
}

export function runPlan(plan: ChaosPlan): Promise<RunRecord> {
  return createSimWorld().run(plan, { signal: new AbortController().signal });
}

export function ofKind<Kind extends JobEvent["kind"]>(
  { events }: RunRecord,
  kind: Kind,
): readonly Extract<JobEvent, { kind: Kind }>[] {
  return events.filter((event) => event.kind === kind) as Extract<JobEvent, { kind: Kind }>[];
}

/** Samples of the steps that were not rolled back, in order. */
export function lineage({ events }: RunRecord): readonly (readonly [number, number])[] {
  const kept = new Map<number, readonly [number, number]>();
  for (const event of events) {
    if (event.kind === "step" && event.samples !== undefined) kept.set(event.step, event.samples);
    if (event.kind === "restore" && event.phase === "done") {
      for (const step of kept.keys()) if (step > event.step) kept.delete(step);
    }
  }
  return [...kept].toSorted(([one], [other]) => one - other).map(([, samples]) => samples);
}

/** A run in a few words, for comparing. */
export function summary(record: RunRecord) {
  const { end, stateDigest, traceHash, injections, residualFaults } = record;
  return { end, stateDigest, traceHash, injections, residualFaults };
}
