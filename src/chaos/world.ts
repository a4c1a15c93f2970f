import type { ChaosPlan } from "./plan/index.ts";
import type { JobEvent, RunRecord, WorldName } from "./record/index.ts";

/** Where plans happen. The same plan gives the same verdict in each that can run it. */
export interface World {
  readonly name: WorldName;
  /** Why this world cannot run the plan, each in a sentence; none: it can. */
  refusals(plan: ChaosPlan): readonly string[];
  /**
   * Runs the plan to its end: injects, undoes, looks for what is left. Whatever happens, no fault is in
   * force when it settles.
   */
  run(plan: ChaosPlan, options: WorldRunOptions): Promise<RunRecord>;
}

export interface WorldRunOptions {
  readonly signal: AbortSignal;
  /** For progress on a terminal. */
  readonly onEvent?: (event: JobEvent) => void;
}
