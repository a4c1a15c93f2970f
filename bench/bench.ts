import type { Provenance } from "../src/platform/words.ts";

/** One benchmark: backs a claim about speed, size or overhead with numbers. */
export interface Bench {
  /** The folder and file it lives in: `store/transactions`. */
  readonly name: string;
  /** What is measured and against what, one sentence. */
  readonly description: string;
  /** Why this machine cannot run it; undefined when it can. */
  readonly requires?: () => Promise<string | undefined>;
  run(context: BenchContext): Promise<BenchResult>;
}

export interface BenchContext {
  /** A line about progress. */
  log(text: string): void;
  /** Only shows that the benchmark works: few repetitions, small data, numbers not to be quoted. */
  readonly quick: boolean;
}

export interface BenchResult {
  readonly metrics: readonly BenchMetric[];
  /** What a reader must know to judge the numbers. */
  readonly notes?: readonly string[];
}

export interface BenchMetric {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly provenance: Provenance;
  readonly better: "lower" | "higher";
  /**
   * What we promise: at most this when lower is better, at least this when higher is. Best put on
   * ratios of two things measured in the same run, which a slow machine does not change.
   */
  readonly limit?: number;
}
