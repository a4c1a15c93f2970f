import type {
  ChaosPlan,
  Expectations,
  PlannedFault,
  TrainingWorkload,
} from "../../../../src/chaos/plan/index.ts";

export const secondUs = 1_000_000;

export function trainingWorkload(changes: Partial<TrainingWorkload> = {}): TrainingWorkload {
  return {
    kind: "training",
    job: {
      model: { kind: "mlp", inputs: 4, hidden: [8], outputs: 2 },
      optimizer: { kind: "adamW", learningRate: 0.01 },
      batch: 8,
      seed: "made up",
    },
    shape: { dp: 4, tp: 1, pp: 1 },
    steps: 24,
    checkpoint: { everySteps: 8, keep: 3, asynchronous: false },
    policy: {
      onFailure: "drainThenResume",
      restartsMax: 3,
      resumeAfterUs: null,
      onPreempt: { action: "checkpointThenExit", graceUs: 5 * secondUs },
      compareEverySteps: 0,
    },
    numerics: "real",
    pace: {
      computeUs: secondUs,
      jitter: 0,
      startUs: 0,
      rendezvousUs: 0,
      saveUs: 0,
      loadUs: 0,
      repairUs: null,
    },
    ...changes,
  };
}

export function expectations(changes: Partial<Expectations> = {}): Expectations {
  return {
    claim: "inside",
    recovery: null,
    integrity: "bitwise",
    gates: [],
    ...changes,
    within: {
      detect: null,
      isolate: null,
      reform: null,
      load: null,
      first: null,
      regain: null,
      steady: null,
      ...changes.within,
    },
  };
}

export const killRank1: PlannedFault = {
  id: "f1",
  fault: "kill_device",
  params: {},
  targets: [{ kind: "rank", rank: 1 }],
  trigger: { kind: "step", step: 12 },
  durationUs: null,
};

export function madeUpPlan(changes: Partial<ChaosPlan> = {}): ChaosPlan {
  return {
    format: "tessera-chaos-plan/1",
    title: "Kill a GPU in the middle of a job",
    seed: "1",
    workload: trainingWorkload(),
    fleet: { nodes: 2, devicesPerNode: 2, nodesPerRack: 2, spareNodes: 0 },
    timeouts: {
      heartbeatEveryUs: secondUs,
      heartbeatUs: 3 * secondUs,
      collectiveUs: 5 * secondUs,
      rendezvousUs: 10 * secondUs,
      saveUs: 10 * secondUs,
      loadUs: 10 * secondUs,
      drainUs: 2 * secondUs,
    },
    faults: [killRank1],
    steadyState: [],
    expect: expectations(),
    limits: { durationUs: 600 * secondUs, targetsMax: 2, abortWhen: [] },
    defects: [],
    ...changes,
  };
}
