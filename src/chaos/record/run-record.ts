import type { Provenance } from "../../platform/words.ts";
import type { ChaosPlan } from "../plan/index.ts";
import type { JobEvent } from "./job-event.ts";

/** One run of a plan in one world: all that a verdict may be made of. */
export interface RunRecord {
  readonly world: WorldName;
  /** What its times are: `simulated`, or `measured`. */
  readonly provenance: Provenance;
  readonly plan: ChaosPlan;
  readonly events: readonly JobEvent[];
  readonly injections: readonly InjectionRecord[];
  /** Faults still in force after everything was undone, as an independent look at the world found them. */
  readonly residualFaults: readonly string[];
  /** How the job ended; `cut` when the limit of the run ended it. */
  readonly end: "finished" | "gave-up" | "cut" | "aborted";
  readonly endUs: number;
  /** Of model, optimizer, random state and cursor; null when the job did not finish. */
  readonly stateDigest: string | null;
  /** Of everything that happened, in order. Null in worlds whose order is not ours. */
  readonly traceHash: string | null;
  /** Answers of the probes of the steady state. */
  readonly probes: readonly ProbeAnswer[];
  /** What this world could not do or know, each in a sentence. */
  readonly notes: readonly string[];
}

export const worldNames = ["sim", "host", "kubernetes", "slurm"] as const;
export type WorldName = (typeof worldNames)[number];

/** One fault of the plan, as it went. Times as in `JobEvent`; null: it did not happen. */
export interface InjectionRecord {
  readonly id: string;
  readonly fault: string;
  readonly target: string;
  readonly injectedUs: number | null;
  /** When its effect was seen, by something else than the injector. */
  readonly effectUs: number | null;
  /** What was seen, in a sentence. */
  readonly effect: string | null;
  readonly revertedUs: number | null;
  /** Ranks that it was meant to hit. */
  readonly ranks: readonly number[];
}

export interface ProbeAnswer {
  /** Index in `plan.steadyState`. */
  readonly probe: number;
  readonly phase: "before" | "during" | "after";
  readonly atUs: number;
  readonly holds: boolean | null;
  readonly reason: string;
}
