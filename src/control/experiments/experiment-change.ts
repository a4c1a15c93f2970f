import type { ExperimentPlanView, ExperimentRow } from "../api/experiments.ts";
import type { RunDetail } from "./experiment-detail.ts";
import { keptSearch, type SearchChange } from "./reproducer.ts";

/** What is written as things go on. */
export interface ExperimentChange {
  readonly state?: ExperimentRow["state"];
  readonly outcome?: NonNullable<ExperimentRow["outcome"]>;
  readonly reason?: string;
  readonly endedAtMs?: number;
  readonly phase?: string;
  readonly plan?: ExperimentPlanView;
  readonly detail?: RunDetail;
  /** Faults so far, in place of the detail until that is known. */
  readonly course?: RunDetail["injections"];
  readonly report?: string;
  readonly reproducer?: SearchChange;
}

/** A change as the columns of its row. */
export function columnsOf(change: ExperimentChange) {
  const { endedAtMs, plan, detail, course, reproducer, reason, ...rest } = change;
  return {
    ...rest,
    // Programs are quoted in it, and PostgreSQL keeps no text with NUL.
    ...(reason === undefined ? {} : { reason: reason.replaceAll("\u0000", "\uFFFD") }),
    ...(endedAtMs === undefined ? {} : { ended_at: endedAtMs }),
    ...(plan === undefined ? {} : planColumns(plan)),
    ...(detail === undefined ? {} : { detail: JSON.stringify(detail) }),
    ...(course === undefined ? {} : { detail: JSON.stringify({ injections: course }) }),
    ...(reproducer === undefined ? {} : { reproducer: keptSearch(reproducer) }),
  };
}

function planColumns(plan: ExperimentPlanView) {
  const faults = [...new Set(plan.faults.map(({ fault }) => fault))];
  return { plan: JSON.stringify(plan), faults: JSON.stringify(faults) };
}
