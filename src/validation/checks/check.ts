import type { z } from "zod";
import type { RngStream } from "../../platform/rng/index.ts";
import type { JsonObject } from "../../platform/store/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { RankLauncher } from "../../runtime/ranks/ranks.ts";
import type { RunFigure } from "../run.ts";

/** How thorough a run is: a look, the usual, or until something warms up and breaks. */
export const checkProfiles = ["quick", "standard", "soak"] as const;
export type CheckProfile = (typeof checkProfiles)[number];

/** The machine a check would run on. */
export interface CheckHost {
  /** `linux`, `darwin`. */
  readonly os: string;
  /** Processor architecture: `x64`, `arm64`. */
  readonly arch: string;
  /** Processors this process may use. */
  readonly cpus: number;
  readonly cpuModel: string;
  readonly memoryBytes: number;
  /** Models of the GPUs, as their driver names them; empty when there are none. */
  readonly gpus: readonly string[];
  /** Whether a program can be found there; absent when nobody can tell from here. */
  readonly hasProgram?: (name: string) => boolean;
}

/** Whether a check can run on a machine; if not, one sentence that says why. */
export type Requirement = { readonly met: true } | { readonly met: false; readonly reason: string };

/** What a check is given. */
export interface CheckContext<Options> {
  readonly clock: Clock;
  /** Aborts when the run is cancelled or its time is up; the check then ends as soon as it can. */
  readonly signal: AbortSignal;
  /** Notes one line in the run's log. */
  readonly log: (line: string) => void;
  /**
   * Notes a hard fact at once, so that it counts even if the run does not come to its end. The output
   * need not repeat it.
   */
  readonly noteHardFact: (sentence: string) => void;
  readonly profile: CheckProfile;
  /** Checked against the check's schema. */
  readonly options: Options;
  readonly host: CheckHost;
  /** An empty folder of the run's own, removed afterwards. */
  readonly tempDir: string;
  readonly rng: RngStream;
  /** Variables of the environment, for what users set for CUDA, NCCL and their like. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Starts this program again as the ranks of a task, one process for each. */
  readonly ranks: RankLauncher;
}

/** What a check that came to its end has found. */
export interface CheckOutput {
  readonly figures: Readonly<Record<string, RunFigure>>;
  /** What needs no statistics to be a failure, one sentence each. */
  readonly hardFacts: readonly string[];
  /** Versions, settings and evidence that explain the figures. */
  readonly facts: JsonObject;
  /** What the run may be compared within, beyond SKU and check; absent for no further limit. */
  readonly cohort?: string;
}

/**
 * Something to run on a node. A check measures and reports facts; whether a node is good is decided
 * elsewhere. One that cannot do its work throws: the run then ends as `error`, never as good.
 */
export interface Check<Schema extends z.ZodType = z.ZodType> {
  /** Stable, kebab-case: `host-compute`. */
  readonly name: string;
  /** What a person calls it. */
  readonly title: string;
  /** How long a standard run holds a node. */
  readonly minutes: number;
  /** The chance that one run finds a defect, by kind of defect. */
  readonly sensitivity: Readonly<Record<string, number>>;
  /** The chance that one run blames a node without a defect. */
  readonly falseAlarm: number;
  /** The figures it hands in, with their units; empty when each installation has its own. */
  readonly figures: Readonly<Record<string, string>>;
  /** What its options look like, for validation and help. */
  readonly options: Schema;
  /** True for one that asks so much of others that it only runs where the configuration names it. */
  readonly onlyWhenNamed?: boolean;
  requirements(host: CheckHost): Requirement;
  run(context: CheckContext<z.output<Schema>>): Promise<CheckOutput>;
}

/** Declares a check; the type of its options follows from their schema. */
export function defineCheck<Schema extends z.ZodType>(check: Check<Schema>): Check {
  return check;
}
