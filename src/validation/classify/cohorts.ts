import type { PreparedRun } from "./prepare.ts";

/** Runs that are judged together, and the runs they are compared with. */
export interface CohortGroup {
  /** What they are compared with, in words: `h100-sxm5-80gb nccl-loopback fw-2, 64 nodes`. */
  readonly label: string;
  /** What they share, for incidents: the cohort they name, even when it is compared more widely. */
  readonly members: readonly PreparedRun[];
  readonly reference: readonly PreparedRun[];
}

/** Fewer nodes than this say too little about what is usual. */
export const cohortNodesMin = 8;

/**
 * Puts every run into the narrowest group that has enough nodes: (SKU, check, cohort), else
 * (SKU, check). Runs of neither are returned as `alone`: only floors can judge them.
 */
export function groupByCohort(runs: readonly PreparedRun[]): {
  readonly groups: readonly CohortGroup[];
  readonly alone: readonly PreparedRun[];
} {
  const groups: CohortGroup[] = [];
  const alone: PreparedRun[] = [];
  for (const ofCheck of groupBy(runs, skuAndCheck).values()) {
    const small: PreparedRun[] = [];
    for (const cohort of groupBy(ofCheck, ({ run }) => run.cohort ?? "").values()) {
      if (nodeCount(cohort) < cohortNodesMin) for (const one of cohort) small.push(one);
      else groups.push({ label: labelOf(cohort, true), members: cohort, reference: cohort });
    }
    if (small.length === 0) continue;
    if (nodeCount(ofCheck) < cohortNodesMin) for (const one of small) alone.push(one);
    else groups.push({ label: labelOf(ofCheck, false), members: small, reference: ofCheck });
  }
  return { groups, alone };
}

/** The items of each key, in the order in which the keys first come. */
export function groupBy<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** How many different nodes the runs are of. */
export function nodeCount(runs: readonly PreparedRun[]): number {
  return new Set(runs.map(({ run }) => run.node)).size;
}

/** A key no two pairs of SKU and check share. */
export function skuAndCheck({ run }: PreparedRun): string {
  return JSON.stringify([run.sku, run.check]);
}

function labelOf(runs: readonly PreparedRun[], narrow: boolean): string {
  const { sku = "", check = "", cohort } = runs[0]?.run ?? {};
  const named = narrow && cohort !== undefined ? ` ${cohort}` : "";
  return `${sku} ${check}${named}, ${nodeCount(runs)} nodes`;
}
