import type { AttentionView, OverviewView } from "../../../../src/control/api/overview.ts";
import { placesOf, type Unlisted } from "./attention-places.ts";

type Kind = AttentionView["kind"];

export interface AttentionGroup {
  readonly kind: Kind;
  readonly title: string;
  /** All of the kind, named here or not. */
  readonly count: number;
  /** Of them: about simulated clusters. */
  readonly simulated: number;
  /** Those that are shown, the most urgent first. */
  readonly items: readonly AttentionView[];
  /** Those that are not named here, by where they are found. */
  readonly unlisted: readonly Unlisted[];
}

export interface AttentionGroups {
  readonly groups: readonly AttentionGroup[];
  /** Named here and not shown. */
  readonly folded: number;
}

const titles: Readonly<Record<Kind, string>> = {
  "failed-node": "Failed nodes",
  "suspect-node": "Suspect nodes",
  "held-node": "Nodes held by a person",
  incident: "Incidents",
  breaker: "Circuit breakers",
  "cluster-trouble": "Trouble with a cluster",
  baseline: "Baselines",
  "fault-left": "Faults that could not be undone",
  "fault-api": "Hardware faults that nobody can tell of",
  doctor: "This machine",
};

/** Alone, one kind may fill the panel; beside others it leaves them room. */
const foldedMax = { alone: 12, each: 4 };

/** What needs a human by kind, in the order of the most urgent of each. */
export function attentionGroups(
  { attention, attentionCounts }: Pick<OverviewView, "attention" | "attentionCounts">,
  isUnfolded: boolean,
): AttentionGroups {
  const kinds = [...new Set(attentionCounts.map(({ kind }) => kind))];
  const most = kinds.length === 1 ? foldedMax.alone : foldedMax.each;
  const groups = kinds.map((kind): AttentionGroup => {
    const named = attention.filter((item) => item.kind === kind);
    const counts = attentionCounts.filter((one) => one.kind === kind);
    return {
      kind,
      title: titles[kind],
      count: sumOf(counts),
      simulated: sumOf(counts.filter(({ provenance }) => provenance === "simulated")),
      items: isUnfolded ? named : named.slice(0, most),
      unlisted: placesOf(counts, named),
    };
  });
  const shown = groups.reduce((sum, group) => sum + group.items.length, 0);
  return { groups, folded: attention.length - shown };
}

function sumOf(counts: OverviewView["attentionCounts"]): number {
  return counts.reduce((sum, { total }) => sum + total, 0);
}
