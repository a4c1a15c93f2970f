import type { Rng } from "../../platform/rng/index.ts";
import type { NodeEvent } from "../history/history.ts";
import type { ValidationSettings } from "../settings.ts";
import { Draft } from "./draft.ts";
import type { EndedRun, Planner } from "./planner.ts";
import { createRandomRoutine } from "./routine/random.ts";
import { createRiskRoutine } from "./routine/risk.ts";
import type { Routine } from "./routine/routine.ts";
import { createStaleRoutine } from "./routine/stale.ts";
import { Setbacks } from "./setbacks.ts";

export interface PlannerOptions {
  readonly settings: ValidationSettings;
  /** Chance, for the random policy. */
  readonly rng: Rng;
  /** What happened to nodes so far, by time. Only `risk` learns from it. @default none */
  readonly events?: readonly NodeEvent[];
  /** Runs that ended so far, by time. @default none */
  readonly runs?: readonly EndedRun[];
}

/**
 * A planner for one cluster: wanted runs first, then those of the policy, all of them within the
 * guard rails. Each node gets at most one run.
 */
export function createPlanner({ settings, rng, events = [], runs = [] }: PlannerOptions): Planner {
  const routine = routineOf(settings, rng);
  const setbacks = new Setbacks();
  const observeRun = (run: EndedRun) => {
    routine.observeRun(run);
    setbacks.note(run);
  };
  routine.observe(events);
  for (const run of runs) observeRun(run);
  return {
    observe: (more) => routine.observe(more),
    observeRun,
    plan: (input) => {
      const draft = new Draft(input, settings, setbacks);
      for (const wanted of input.wanted) draft.want(wanted);
      routine.proposeTo(draft);
      draft.leaveNotFree();
      return draft.finish();
    },
  };
}

function routineOf(settings: ValidationSettings, rng: Rng): Routine {
  if (settings.policy === "stale") return createStaleRoutine();
  if (settings.policy === "random") return createRandomRoutine(rng);
  return createRiskRoutine(settings);
}
