import assert from "node:assert/strict";
import { type Chance, createChance } from "../../chance/index.ts";
import type { ChaosPlan } from "../../plan/index.ts";
import { drawConfiguration, drawFaults } from "./draw-faults.ts";
import { drawWorld } from "./draw-world.ts";
import { drawOutside } from "./outside-plan.ts";
import { planFrom, withRoomFor } from "./plan-parts.ts";

/**
 * `inside`: the job must recover; `outside`: it must fail, cleanly; `clean`: nothing is broken, and it must
 * pass.
 */
export const swarmKinds = ["inside", "outside", "clean"] as const;
export type SwarmKind = (typeof swarmKinds)[number];

export interface SwarmPlan {
  readonly index: number;
  readonly kind: SwarmKind;
  readonly plan: ChaosPlan;
}

/** One run of a campaign. It follows from the seed and the index alone, so any can be made by itself. */
export function swarmPlan(seed: string, index: number): SwarmPlan {
  assert(Number.isSafeInteger(index) && index >= 0, "runs are counted from 0");
  const own = `${seed}/${index}`;
  const chance = createChance(own);
  const kind = kindOf(chance);
  const world = drawWorld(chance.stream("world"));
  const title = `Campaign ${seed}, run ${index}, ${kind}`;
  if (kind === "clean") {
    const plan = planFrom({ title, seed: own, world, faults: [], claim: "inside" });
    return { index, kind, plan };
  }
  if (kind === "outside") {
    const outside = drawOutside(chance, world);
    return { index, kind, plan: planFrom({ title, seed: own, ...outside, claim: "outside" }) };
  }
  const faults = drawFaults(chance, world, drawConfiguration(chance, world));
  const plan = planFrom({
    title,
    seed: own,
    world: withRoomFor(world, faults),
    faults,
    claim: "inside",
  });
  return { index, kind, plan };
}

/** What a run is about, without drawing the rest of it. */
export function swarmKind(seed: string, index: number): SwarmKind {
  return kindOf(createChance(`${seed}/${index}`));
}

function kindOf(chance: Chance): SwarmKind {
  const share = chance.stream("kind").float();
  if (share < 0.05) return "clean";
  return share < 0.2 ? "outside" : "inside";
}
