import type { RunRecord } from "../run.ts";

/** How many runs a judgement looks at. */
export interface CompareLimits {
  /** Of one node and check, the newest. */
  readonly perNodeMax: number;
  /** Of one check, the newest; runs of nodes that have new ones come first. */
  readonly totalMax: number;
}

/** Enough for a cohort's bounds to settle, few enough for a fifth of a second of work. */
export const compareLimits: CompareLimits = { perNodeMax: 16, totalMax: 2000 };

/** True for a run that can be compared, or that needs no comparison to fail. */
export function isComparable({ result }: RunRecord): boolean {
  return result !== undefined && (result.outcome === "completed" || result.hardFacts.length > 0);
}

/**
 * The runs of a check that are judged together: the new ones, those of the same nodes, then the
 * others, each newest first and within the limits. Runs that say nothing are left out.
 */
export function selectComparable(
  newRuns: readonly RunRecord[],
  comparable: readonly RunRecord[],
  limits: CompareLimits,
): readonly RunRecord[] {
  const byId = new Map(comparable.map((run) => [run.intent.id, run]));
  for (const run of newRuns) byId.set(run.intent.id, run);
  const newIds = new Set(newRuns.map(({ intent }) => intent.id));
  const newNodes = new Set(newRuns.map(({ intent }) => intent.node));
  const rank = ({ intent }: RunRecord) => {
    if (newIds.has(intent.id)) return 0;
    return newNodes.has(intent.node) ? 1 : 2;
  };
  const sorted = [...byId.values()]
    .filter(isComparable)
    .toSorted((a, b) => rank(a) - rank(b) || endOf(b) - endOf(a));
  const perNode = new Map<string, number>();
  const selected: RunRecord[] = [];
  for (const run of sorted) {
    const count = perNode.get(run.intent.node) ?? 0;
    const isNew = newIds.has(run.intent.id);
    if (!isNew && (count >= limits.perNodeMax || selected.length >= limits.totalMax)) continue;
    perNode.set(run.intent.node, count + 1);
    selected.push(run);
  }
  return selected;
}

function endOf({ result }: RunRecord): number {
  return result?.endedAtMs ?? 0;
}
