import type { ChaosPlan } from "./plan/index.ts";
import type { InjectionRecord, JobEvent, RunRecord, WorldName } from "./record/index.ts";

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
  /** Hears of every fault as it goes, for those who watch; the record has it all at the end. */
  readonly onInjection?: OnInjection;
}

export type OnInjection = (moment: InjectionMoment, injection: InjectionRecord) => void;

/** What has just come to be known of a fault. */
export type InjectionMoment = "injected" | "effect" | "reverted";
