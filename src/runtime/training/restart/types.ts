import type { State } from "../../checkpoint/state.ts";
import type { TrainingJob } from "../training-job.ts";

/** Which of the runs a job is for. */
export type RestartRun = "uninterrupted" | "interrupted" | "resumed";

/** What a restart is tried with. */
export interface RestartOptions {
  /** A fresh job, always from the same options; the resumed one perhaps on another mesh. */
  readonly job: (run: RestartRun) => TrainingJob;
  readonly save: (state: State) => unknown;
  readonly load: () => State | Promise<State>;
  /** Steps before the save. */
  readonly at: number;
  /** Steps after the restore. */
  readonly more: number;
  /** Called between save and load, with the job that is thrown away after it. */
  readonly crash?: (job: TrainingJob) => unknown;
}

/** The first place where two runs are not the same. */
export interface RestartDifference {
  /** `interrupted`: the two runs differed before anything was saved. */
  readonly run: Exclude<RestartRun, "uninterrupted">;
  /** Steps done when it showed. */
  readonly step: number;
  /** Path in the state (`optimizer/means/layers.0.weight`), or `loss`, `gradientNorm`, `samples`. */
  readonly name: string;
  /** Row-major: in the rank's part where a rank is named, else in the whole; or the place of a sample. */
  readonly element?: number;
  readonly rank?: number;
  readonly expected: string;
  readonly found: string;
}

/**
 * - `equal`: every bit that was compared is the same.
 * - `not-bitwise`: the mesh changed, and bits with it; samples, random numbers and counts are right.
 * - `different`: the restart is wrong.
 */
export type RestartVerdict = "equal" | "not-bitwise" | "different";

export interface RestartReport {
  readonly verdict: RestartVerdict;
  /** False when the mesh changed: equal bits are then not promised. */
  readonly bitwise: boolean;
  readonly first?: RestartDifference;
  /** No sample of the uninterrupted run was skipped or used twice by the two others together. */
  readonly sameSamples: boolean;
  readonly stepsCompared: number;
  readonly tensorsCompared: number;
  /** In words, what a person must know. */
  readonly notes: readonly string[];
}
