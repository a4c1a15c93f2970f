import { createChance } from "../../chance/index.ts";
import { resolveParams } from "../../fault/catalogue/index.ts";
import type { ChaosPlan, Defect, PlannedFault } from "../../plan/index.ts";
import { drawConfiguration, drawFaults } from "./draw-faults.ts";
import { drawWorld, type SwarmWorld } from "./draw-world.ts";
import { planFrom, withRoomFor } from "./plan-parts.ts";

/**
 * A plan of the swarm with a bug planted, and the faults that bring the bug to light among its others.
 * Several attempts, because chance may hide it.
 */
export function canaryPlan(seed: string, defect: Defect, attempt: number): ChaosPlan {
  const own = `${seed}/canary/${defect}/${attempt}`;
  const chance = createChance(own);
  const drawn = drawWorld(chance.stream("world"));
  const { workload } = drawn;
  const policy = { ...workload.policy, onFailure: "drainThenResume", resumeAfterUs: null } as const;
  const world = { ...drawn, workload: { ...workload, policy } };
  const others = drawFaults(chance, world, drawConfiguration(chance, world));
  const faults = [...others, ...revealing(defect, world, chance.stream("canary").int(world.ranks))];
  return planFrom({
    title: `Canary ${defect}, attempt ${attempt + 1} (seed ${seed})`,
    seed: own,
    world: withRoomFor(world, faults),
    faults,
    claim: "inside",
    defects: [defect],
  });
}

function revealing(defect: Defect, world: SwarmWorld, rank: number): readonly PlannedFault[] {
  const { everySteps } = world.workload.checkpoint;
  const targets = [{ kind: "rank", rank }] as const;
  const restart = (step: number): PlannedFault => ({
    id: "restart",
    fault: "restart_worker",
    params: resolveParams("restart_worker"),
    targets,
    trigger: { kind: "step", step },
    durationUs: null,
  });
  switch (defect) {
    case "cursorOffByOne":
      return [restart(everySteps + 2)];
    case "acceptTornCheckpoint":
      return [
        {
          id: "torn",
          fault: "torn_write",
          params: resolveParams("torn_write", { shard: rank, count: 1 }),
          targets: [{ kind: "storage" }],
          trigger: { kind: "checkpoint", nth: 2, phase: "write" },
          durationUs: null,
        },
        restart(2 * everySteps + 2),
      ];
    case "ignoreRank":
      return [
        {
          id: "late",
          fault: "hang_device",
          params: {},
          targets,
          trigger: { kind: "step", step: everySteps + 1 },
          durationUs: Math.round(0.75 * world.timeouts.collectiveUs),
        },
      ];
    case "lostUndo":
      return [
        {
          id: "slow",
          fault: "straggler",
          params: resolveParams("straggler", { factor: 2 }),
          targets,
          trigger: { kind: "step", step: 2 },
          durationUs: 4 * world.workload.pace.computeUs,
        },
      ];
  }
}
