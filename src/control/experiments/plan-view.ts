import { timeText } from "../../chaos/judge/words.ts";
import type { ChaosPlan } from "../../chaos/plan/index.ts";
import { claimsText, targetsText, triggerText } from "../../chaos/report/index.ts";
import type { ExperimentPlanView } from "../api/experiments.ts";

/** What would happen, in words. */
export function planView(
  plan: ChaosPlan,
  about: { readonly world: ExperimentPlanView["world"]; readonly refusals: readonly string[] },
): ExperimentPlanView {
  return {
    title: plan.title,
    world: about.world,
    seed: plan.seed,
    faults: plan.faults.map(({ id, fault, targets, trigger, durationUs }) => ({
      id,
      fault,
      target: targetsText(targets),
      when: `${triggerText(trigger)}, ${durationUs === null ? "to the end" : `for ${timeText(durationUs)}`}`,
    })),
    claims: [...claimsText(plan)],
    refusals: [...about.refusals],
  };
}

/** Names in the catalogue, each once. */
export function faultNames({ faults }: ExperimentPlanView): string[] {
  return [...new Set(faults.map(({ fault }) => fault))];
}
