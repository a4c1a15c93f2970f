import type { AttentionView, OverviewView } from "../api/overview.ts";
import { mostUrgentFirst } from "./attention.ts";

/** So many things an answer names. */
export const attentionMax = 100;
/** The first of each kind are named before more of any other: ten kinds have room, however many there are of each. */
const eachMin = 10;

/** What an answer names of all that needs a human, and how many there are of each kind in each cluster. */
export function listAttention(
  found: readonly AttentionView[],
): Pick<OverviewView, "attention" | "attentionCounts"> {
  const all = found.toSorted(mostUrgentFirst);
  return { attention: namedOf(all), attentionCounts: countsOf(all) };
}

/** The first of each kind, then the most urgent of the others while there is room; in the order they came. */
function namedOf(all: readonly AttentionView[]): AttentionView[] {
  if (all.length <= attentionMax) return [...all];
  const seen = new Map<AttentionView["kind"], number>();
  const isFirst = all.map(({ kind }) => {
    const before = seen.get(kind) ?? 0;
    seen.set(kind, before + 1);
    return before < eachMin;
  });
  let room = attentionMax - isFirst.filter(Boolean).length;
  return all.filter((_, at) => isFirst[at] === true || room-- > 0).slice(0, attentionMax);
}

/** In the order in which the first of each comes. */
function countsOf(all: readonly AttentionView[]): OverviewView["attentionCounts"] {
  const counts = new Map<string, OverviewView["attentionCounts"][number]>();
  for (const { kind, cluster, provenance } of all) {
    const key = JSON.stringify([kind, cluster, provenance]);
    const known = counts.get(key) ?? { kind, cluster, provenance, total: 0 };
    counts.set(key, { ...known, total: known.total + 1 });
  }
  return [...counts.values()];
}
