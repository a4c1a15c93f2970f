import { dueEntries, dueReason } from "../../prioritize/index.ts";
import { freeNames } from "./free-names.ts";
import type { Routine } from "./routine.ts";

/** The seed's `buildPriorityQueue`, entry for entry: never tested first, then the oldest, only what is older than Z. */
export function createStaleRoutine(): Routine {
  return {
    observe: () => {},
    observeRun: () => {},
    proposeTo: (draft) => {
      const { latest } = draft;
      const { staleAfterDays } = draft.settings;
      for (const entry of dueEntries(freeNames(draft), latest, staleAfterDays)) {
        const reason = () => dueReason(entry, latest.readAtMs, staleAfterDays);
        draft.propose({ node: entry.node, check: entry.check, purpose: "routine", reason });
      }
    },
  };
}
