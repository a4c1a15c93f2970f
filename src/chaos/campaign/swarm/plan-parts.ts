import { limitUsDefault } from "../../experiment/presets/index.ts";
import {
  type ChaosPlan,
  type Defect,
  type Expectations,
  noPhaseLimits,
  type PlannedFault,
} from "../../plan/index.ts";
import type { SwarmWorld } from "./draw-world.ts";

export interface PlanParts {
  readonly title: string;
  readonly seed: string;
  readonly world: SwarmWorld;
  readonly faults: readonly PlannedFault[];
  readonly claim: Expectations["claim"];
  readonly defects?: readonly Defect[];
}

/** A plan of a world and what is done to it. */
export function planFrom({
  title,
  seed,
  world,
  faults,
  claim,
  defects = [],
}: PlanParts): ChaosPlan {
  return {
    format: "tessera-chaos-plan/1",
    title,
    seed,
    workload: world.workload,
    fleet: world.fleet,
    timeouts: world.timeouts,
    faults,
    steadyState: [],
    expect: {
      claim,
      recovery: null,
      within: noPhaseLimits,
      integrity: "bitwise",
      gates: [],
    },
    limits: { durationUs: 6 * limitUsDefault, targetsMax: world.ranks, abortWhen: [] },
    defects,
  };
}

/** The world with room for every fault: recoveries enough, and spares for all that may be lost. */
export function withRoomFor(world: SwarmWorld, faults: readonly PlannedFault[]): SwarmWorld {
  const { workload, fleet } = world;
  // A recovery that is hit again starts over, and a device that still hangs is met once more.
  const restartsMax = 4 + 4 * faults.length;
  const spareNodes = workload.policy.onFailure === "spare" ? 2 * faults.length : 0;
  return {
    ...world,
    fleet: { ...fleet, spareNodes },
    workload: { ...workload, policy: { ...workload.policy, restartsMax } },
  };
}
