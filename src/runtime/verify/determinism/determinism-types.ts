import type { Comparable, EqualityReport } from "../equality/index.ts";

/** What a run is told about itself. */
export interface RunContext {
  /** From 0. */
  readonly run: number;
}

export interface DeterministicOptions<I extends Comparable = Comparable, T = unknown> {
  /** 2 to 10,000. @default 3 */
  readonly runs?: number;
  /** Given to every run; looked at before and after each, so that a function that changes it is told. */
  readonly inputs?: I;
  /**
   * Called before each run to change what may change: the order of ranks, the number of threads, the
   * engine. What it returns is disposed of after the run.
   */
  readonly vary?: (run: RunContext) => Disposable | void | Promise<Disposable | void>;
  /** Called with each result when it was compared: to free tensors of a GPU. */
  readonly release?: (result: T) => void;
}

/** A run whose result is not that of the first. */
export interface DifferentRun {
  readonly run: number;
  /** Against the first run. */
  readonly report: EqualityReport;
}

/** An input that a run changed. */
export interface ChangedInput {
  readonly run: number;
  readonly path: string;
}

export interface DeterminismReport {
  /** True when every run gave the bits of the first, and none changed its inputs. */
  readonly deterministic: boolean;
  /** How many were made. */
  readonly runs: number;
  /** The first 16. */
  readonly different: readonly DifferentRun[];
  readonly differentRuns: number;
  /** The first 16. */
  readonly changedInputs: readonly ChangedInput[];
  readonly text: string;
}
