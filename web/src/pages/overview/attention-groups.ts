import type { AttentionView } from "../../../../src/control/api/overview.ts";

type Kind = AttentionView["kind"];

export interface AttentionGroup {
  readonly kind: Kind;
  readonly title: string;
  /** All of the kind that are known here. */
  readonly count: number;
  /** Those that are shown, the most urgent first. */
  readonly items: readonly AttentionView[];
}

export interface AttentionGroups {
  readonly groups: readonly AttentionGroup[];
  /** Known here and not shown. */
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
  items: readonly AttentionView[],
  isUnfolded: boolean,
): AttentionGroups {
  const kinds = [...new Set(items.map(({ kind }) => kind))];
  const most = kinds.length === 1 ? foldedMax.alone : foldedMax.each;
  const groups = kinds.map((kind) => {
    const all = items.filter((item) => item.kind === kind);
    return {
      kind,
      title: titles[kind],
      count: all.length,
      items: isUnfolded ? all : all.slice(0, most),
    };
  });
  const shown = groups.reduce((sum, group) => sum + group.items.length, 0);
  return { groups, folded: items.length - shown };
}
