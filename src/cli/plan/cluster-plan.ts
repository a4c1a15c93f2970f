import type { ClusterPlan } from "../../validation/loop/index.ts";
import { postponedCount } from "../../validation/plan/index.ts";

/** A cluster's plan as a document for programs; lists are cut to `limit`. */
export function planDocument(found: ClusterPlan, limit: number): object {
  const { plan, atMs, gpuHours, ...facts } = found;
  const { today, perDay } = gpuHours;
  return {
    ...facts,
    at: new Date(atMs).toISOString(),
    gpuHours: { today, perDay: Number.isFinite(perDay) ? perDay : null },
    queue: plan.chosen.slice(0, limit).map(({ node, ...run }) => ({ node: node.name, ...run })),
    queueLength: plan.chosen.length,
    postponed: plan.postponed
      .slice(0, limit)
      .map(({ check = null, ...run }) => ({ ...run, check })),
    postponedLength: postponedCount(plan),
  };
}
