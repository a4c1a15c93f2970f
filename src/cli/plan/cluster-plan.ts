import type { Provenance } from "../../platform/words.ts";
import type { ClusterKind } from "../../validation/clusters/cluster.ts";
import type { Plan } from "../../validation/plan/index.ts";
import type { PolicyName } from "../../validation/prioritize/index.ts";

/** What would be done on one cluster now. */
export interface ClusterPlan {
  readonly cluster: string;
  readonly kind: ClusterKind;
  /** What it is, for people. */
  readonly about: string;
  readonly provenance: Provenance;
  readonly policy: PolicyName;
  /** The cluster's time. */
  readonly atMs: number;
  readonly nodes: { readonly total: number; readonly free: number };
  readonly inFlight: { readonly now: number; readonly max: number };
  /** Infinity where there is no limit. */
  readonly gpuHours: { readonly today: number; readonly perDay: number };
  readonly plan: Plan;
}

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
    postponedLength: plan.postponed.length,
  };
}
