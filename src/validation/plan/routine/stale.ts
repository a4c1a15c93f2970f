import { type DueEntry, dueEntries, dueReason } from "../../prioritize/index.ts";
import type { Draft } from "../draft.ts";
import { freeNames } from "./free-names.ts";
import type { Routine } from "./routine.ts";

/**
 * The seed's `buildPriorityQueue`, entry for entry: never tested first, then the oldest, only what is
 * older than Z. Of one node, what came to nothing when it last had its turn lets the others go first.
 */
export function createStaleRoutine(): Routine {
  return {
    observe: () => {},
    observeRun: () => {},
    proposeTo: (draft) => {
      const { latest } = draft;
      const { staleAfterDays } = draft.settings;
      const due = dueEntries(freeNames(draft), latest, staleAfterDays);
      for (const entry of brokenLast(due, draft)) {
        const reason = () => dueReason(entry, latest.readAtMs, staleAfterDays);
        draft.propose({ node: entry.node, check: entry.check, purpose: "routine", reason });
      }
    },
  };
}

/** Each node keeps its places in the queue; in them, its checks without a setback come first. */
function brokenLast(entries: readonly DueEntry[], draft: Draft): readonly DueEntry[] {
  const inARow = ({ node, check }: DueEntry) => draft.setbackOf(node, check)?.inARow ?? 0;
  const unsettled = new Set(entries.filter((entry) => inARow(entry) > 0).map(({ node }) => node));
  if (unsettled.size === 0) return entries;
  const ofNode = new Map<string, DueEntry[]>();
  for (const entry of entries) {
    if (!unsettled.has(entry.node)) continue;
    const known = ofNode.get(entry.node);
    if (known === undefined) ofNode.set(entry.node, [entry]);
    else known.push(entry);
  }
  const turns = new Map(
    [...ofNode].map(([node, own]) => [
      node,
      own.toSorted((a, b) => inARow(a) - inARow(b)).values(),
    ]),
  );
  return entries.map((entry) => turns.get(entry.node)?.next().value ?? entry);
}
