import { jobPresets, paceDefaults } from "../../../../src/chaos/experiment/presets/index.ts";
import {
  type ChaosPlan,
  noPhaseLimits,
  type PlannedFault,
} from "../../../../src/chaos/plan/index.ts";

/** A job of four ranks that survives what is done to it. */
export function smallPlan(faults: readonly PlannedFault[] = [restart(9)]): ChaosPlan {
  return {
    format: "tessera-chaos-plan/1",
    title: "A small job",
    seed: "small",
    workload: {
      kind: "training",
      job: { ...jobPresets.small, accumulate: "exact" },
      shape: { dp: 4, tp: 1, pp: 1 },
      steps: 12,
      checkpoint: { everySteps: 4, keep: 2, asynchronous: false },
      policy: {
        onFailure: "drainThenResume",
        restartsMax: 4,
        resumeAfterUs: null,
        onPreempt: { action: "checkpointThenExit", graceUs: 1_000_000 },
        compareEverySteps: 0,
      },
      numerics: "real",
      pace: paceDefaults,
    },
    fleet: { nodes: 2, devicesPerNode: 2, nodesPerRack: 2, spareNodes: 0 },
    timeouts: {
      heartbeatEveryUs: 500_000,
      heartbeatUs: 2_000_000,
      collectiveUs: 5_000_000,
      rendezvousUs: 30_000_000,
      saveUs: 10_000_000,
      loadUs: 10_000_000,
      drainUs: 6_000_000,
    },
    faults,
    steadyState: [],
    expect: {
      claim: "inside",
      recovery: null,
      within: noPhaseLimits,
      integrity: "bitwise",
      gates: [],
    },
    limits: { durationUs: 600_000_000, targetsMax: 4, abortWhen: [] },
    defects: [],
  };
}

/** A worker that is killed when it begins a step. */
export function restart(step: number, rank = 1, id = `restart-${step}-${rank}`): PlannedFault {
  return {
    id,
    fault: "restart_worker",
    params: { signal: "SIGKILL" },
    targets: [{ kind: "rank", rank }],
    trigger: { kind: "step", step },
    durationUs: null,
  };
}
