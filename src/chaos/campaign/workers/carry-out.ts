import { settle } from "../../../platform/time/index.ts";
import type { Trial } from "../../journal/index.ts";
import type { ChaosPlan } from "../../plan/index.ts";
import { areSame, type RunSummary, summaryOf } from "../run-summary.ts";
import { canaryPlan, swarmPlan } from "../swarm/index.ts";
import type { CampaignWorker, WorkerOrder } from "./orders.ts";

/** A worker in this thread. */
export function createInlineWorker(trial: Trial, signal: AbortSignal): CampaignWorker {
  return {
    carryOut: async (order) => {
      // A simulated run waits for nothing, and signals of the process are only heard in between.
      await settle();
      return carryOut(order, trial, signal);
    },
    close: async () => {},
  };
}

export async function carryOut(
  order: WorkerOrder,
  trial: Trial,
  signal: AbortSignal,
): Promise<RunSummary> {
  const plan = planOf(order);
  const summary = summaryOf(await trial(plan, signal));
  if (order.kind !== "swarm" || !order.twice) return summary;
  const again = summaryOf(await trial(plan, signal));
  return { ...summary, isRepeatable: areSame(summary, again) };
}

function planOf(order: WorkerOrder): ChaosPlan {
  switch (order.kind) {
    case "swarm":
      return swarmPlan(order.seed, order.index).plan;
    case "canary":
      return canaryPlan(order.seed, order.defect, order.attempt);
    case "plan":
      return order.plan;
  }
}
