import { dueEntries, dueReason } from "../../prioritize/index.ts";
import type { ValidationSettings } from "../../settings.ts";
import type { Draft } from "../draft.ts";
import { freeNames } from "./free-names.ts";
import { LiveFleet } from "./live-fleet.ts";
import { type Happening, happeningsOf, Memory } from "./memory.ts";
import type { Routine } from "./routine.ts";

/** The risk policy on a live cluster, fed with what happens to nodes and with the runs that ended. */
export function createRiskRoutine(settings: ValidationSettings): Routine {
  const memory = new Memory();
  let fleet: LiveFleet | undefined;

  const note = (happenings: readonly Happening[]) => {
    memory.add(happenings);
    for (const one of happenings) fleet?.tell(one);
  };
  /** The same fleet as long as it knows all nodes and checks; otherwise a new one, told everything. */
  const fleetOf = (draft: Draft): LiveFleet => {
    if (fleet?.covers(draft) !== true) {
      fleet = new LiveFleet(draft, memory.inOrder());
    }
    return fleet;
  };

  return {
    observe: (events) => note(happeningsOf(events)),
    observeRun: (run) => note([{ type: "run", atMs: run.endedAtMs, run }]),
    proposeTo: (draft) => {
      if (draft.input.nodes.length === 0 || draft.latest.checks.length === 0) return;
      const live = fleetOf(draft);
      live.proposeTo(draft);
      const { latest, room } = draft;
      const { staleAfterDays } = settings;
      for (const entry of dueEntries(freeNames(draft), latest, staleAfterDays)) {
        const run = { node: entry.node, check: entry.check, purpose: "routine" } as const;
        const due = () => dueReason(entry, latest.readAtMs, staleAfterDays);
        draft.leave(run, () => `${due()}; ${live.explain(run, room.gpuHoursToday)}`);
      }
    },
  };
}
