import { swarmPlan } from "../../src/chaos/campaign/index.ts";
import { createChance } from "../../src/chaos/chance/index.ts";
import { resolveParams } from "../../src/chaos/fault/catalogue/index.ts";
import type { ChaosPlan, PlannedFault, TrainingWorkload } from "../../src/chaos/plan/index.ts";

const shape = { dp: 9, tp: 4, pp: 2 };
const ranks = shape.dp * shape.tp * shape.pp;
const steps = 24;

/** A job on 72 devices that comes back from one to three faults. */
export function largePlan(index: number): ChaosPlan {
  const stream = createChance(`large/${index}`).stream("faults");
  const faults = Array.from({ length: 1 + stream.int(3) }, (_, at): PlannedFault => {
    const isLoss = stream.bernoulli(0.7);
    const fault = isLoss ? "kill_device" : "straggler";
    return {
      id: `f${at + 1}`,
      fault,
      params: resolveParams(fault as string),
      targets: [{ kind: "rank", rank: stream.int(ranks) }],
      trigger: { kind: "step", step: 2 + stream.int(steps - 2) },
      durationUs: isLoss ? 500_000 : 20_000,
    };
  });
  return { ...base(`large/${index}`), faults };
}

/** A checkpoint that is torn and taken for good, among stragglers that have nothing to do with it. */
export function tornAmongMany(count: number): ChaosPlan {
  const stream = createChance("many").stream("faults");
  const plan = base("many");
  const workload = plan.workload as TrainingWorkload;
  const noise = Array.from(
    { length: count - 2 },
    (_, at): PlannedFault => ({
      id: `noise-${at + 1}`,
      fault: "straggler",
      params: resolveParams("straggler", { factor: 1.5 + stream.float() }),
      targets: [{ kind: "rank", rank: stream.int(ranks) }],
      trigger: { kind: "step", step: 2 + stream.int(steps - 2) },
      durationUs: 1000 + stream.int(20_000),
    }),
  );
  const torn: PlannedFault = {
    id: "torn",
    fault: "torn_write",
    params: resolveParams("torn_write", { shard: 5, count: 1 }),
    targets: [{ kind: "storage" }],
    trigger: { kind: "checkpoint", nth: 2, phase: "write" },
    durationUs: null,
  };
  const lost: PlannedFault = {
    id: "lost",
    fault: "kill_device",
    params: {},
    targets: [{ kind: "rank", rank: 41 }],
    trigger: { kind: "step", step: 19 },
    durationUs: 500_000,
  };
  const at = Math.floor(noise.length / 3);
  const faults = [
    ...noise.slice(0, at),
    torn,
    ...noise.slice(at, 2 * at),
    lost,
    ...noise.slice(2 * at),
  ];
  return { ...plan, workload, faults, defects: ["acceptTornCheckpoint"] };
}

/** Settings of a run of the swarm, on a mesh of 72 devices. The batch divides by 9 replicas. */
function base(seed: string): ChaosPlan {
  const { plan } = swarmPlan("bench", 0);
  const workload = plan.workload as TrainingWorkload;
  return {
    ...plan,
    title: seed,
    seed,
    fleet: { nodes: ranks / 8, devicesPerNode: 8, nodesPerRack: 3, spareNodes: 0 },
    workload: {
      ...workload,
      job: { ...workload.job, batch: 36, data: { samples: 360 } },
      shape,
      steps,
      checkpoint: { everySteps: 8, keep: 3, asynchronous: false },
      policy: { ...workload.policy, onFailure: "drainThenResume", restartsMax: 12 },
    },
    expect: { ...plan.expect, claim: "inside" },
    limits: { ...plan.limits, targetsMax: ranks },
  };
}
