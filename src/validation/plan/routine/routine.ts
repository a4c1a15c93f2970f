import type { NodeEvent } from "../../history/history.ts";
import type { Draft } from "../draft.ts";
import type { EndedRun } from "../planner.ts";

/** A policy as the loop uses it: proposes routine runs, most urgent first. */
export interface Routine {
  observe(events: readonly NodeEvent[]): void;
  observeRun(run: EndedRun): void;
  /** Proposes until nothing more is due or nothing more fits. */
  proposeTo(draft: Draft): void;
}
