import { createTrial, type JudgedRun, journalOf } from "../../../../src/chaos/journal/index.ts";
import type { Journal } from "../../../../src/chaos/journal/journal.ts";
import { judge } from "../../../../src/chaos/judge/index.ts";
import type { ChaosPlan } from "../../../../src/chaos/plan/index.ts";
import type { Trace } from "../../../../src/chaos/sim/engine/index.ts";
import { createSimWorld } from "../../../../src/chaos/sim/index.ts";

export const never = new AbortController().signal;

/** A plan run in the simulator, and its journal. */
export async function simRun(
  plan: ChaosPlan,
): Promise<{ readonly run: JudgedRun; readonly journal: Journal }> {
  let trace: Trace | null = null;
  // The baseline runs first, so the last trace is that of the plan.
  const world = createSimWorld({ onTrace: (found) => (trace = found) });
  const run = await createTrial({ world, judge })(plan, never);
  return { run, journal: journalOf(run, trace) };
}
