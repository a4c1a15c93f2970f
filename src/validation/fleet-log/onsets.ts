import type { Rng } from "../../platform/rng/index.ts";
import { secondsPerDay } from "../prioritize/index.ts";
import type { DefectKind } from "./catalogue.ts";
import { exponential, logNormal, pickWeighted } from "./chance.ts";
import type { FleetPlan } from "./options.ts";

/** A defect of the simulated fleet, from its onset to the repair by others. */
export interface Onset {
  readonly id: string;
  readonly node: number;
  readonly kind: DefectKind;
  /** How much it shows of itself, beside others of its kind. */
  readonly strength: number;
  readonly fromS: number;
  /** When others repair it; after the end of the log when nobody does. */
  readonly untilS: number;
}

/** Which nodes are lemons. */
export function drawLemons(plan: FleetPlan, rng: Rng): ReadonlySet<number> {
  const order = rng.stream("lemons").shuffle(Array.from({ length: plan.nodes }, (_, node) => node));
  return new Set(order.slice(0, Math.round(plan.lemonShare * plan.nodes)));
}

/** The defects of the whole log; a node has at most one at a time. */
export function drawOnsets(
  plan: FleetPlan,
  lemons: ReadonlySet<number>,
  rng: Rng,
): readonly Onset[] {
  const endS = plan.days * secondsPerDay;
  const share = lemons.size / plan.nodes;
  const others = plan.defectsPer1000NodeDays / 1000 / (1 - share + share * plan.lemonFactor);
  const onsets: Onset[] = [];
  for (let node = 0; node < plan.nodes; node++) {
    const stream = rng.stream("onsets", node);
    const perDay = others * (lemons.has(node) ? plan.lemonFactor : 1);
    if (perDay <= 0) continue;
    const wait = () => exponential(stream, secondsPerDay / perDay);
    for (let t = wait(); t < endS; ) {
      const kind = pickWeighted(stream, plan.kinds);
      const repairS =
        plan.repairDays > 0
          ? exponential(stream, plan.repairDays * secondsPerDay)
          : Number.POSITIVE_INFINITY;
      const strength = plan.evidence * logNormal(stream, 1, plan.evidenceSpread);
      const span = { fromS: Math.round(t), untilS: Math.round(t + repairS) };
      onsets.push({ id: "", node, kind, strength, ...span });
      t += Number.isFinite(repairS) ? repairS + wait() : Number.POSITIVE_INFINITY;
    }
  }
  return onsets
    .toSorted((a, b) => a.fromS - b.fromS)
    .map((onset, index) => ({ ...onset, id: `d${index + 1}` }));
}
