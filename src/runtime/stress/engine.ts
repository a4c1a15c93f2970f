/** What a stress run keeps busy. */
export const stressKinds = ["matmul", "memory", "mixed", "io"] as const;
export type StressKind = (typeof stressKinds)[number];

/** A result that was wrong: in which iteration and where in it. */
export interface Mismatch {
  /** Counted from 0. */
  readonly iteration: number;
  /** `row 17`, `address 0x1f40`, `page 3 of file 12`. */
  readonly place: string;
  /** One phrase: what was found instead of what. */
  readonly detail: string;
}

/** What an engine did since it was last asked. */
export interface StressSlice {
  /** How long each iteration kept the device, in order. */
  readonly iterationsMs: readonly number[];
  /** Iterations that were found wrong. */
  readonly wrong: number;
  /** Those of them that are known in detail, at least the first of a run. */
  readonly mismatches: readonly Mismatch[];
}

/** A bit that is flipped on purpose, to see the verification at work. */
export interface Corruption {
  /** In the result of this iteration, counted from 0. */
  readonly iteration: number;
  /** Counted from the lowest bit of the first byte; beyond the end it starts over. */
  readonly bit: number;
}

/**
 * Work that goes on for ever on one device and checks its own results. It says what each iteration
 * took; what to make of that is decided elsewhere.
 */
export interface StressEngine {
  /** `cuda:0`, `cpu`. */
  readonly device: string;
  /** What a person calls the device: `NVIDIA H200`. */
  readonly deviceName: string;
  /** What an iteration is and how it is verified, one sentence. */
  readonly description: string;
  /** What one iteration is worth: 1.1 TFLOP for a product. */
  readonly work: {
    readonly iteration: string;
    readonly amount: number;
    /** Amounts a second are written with it: `TFLOP`, `GB`. */
    readonly unit: string;
  };
  /** Whether results are compared with what they must be. */
  readonly verifies: boolean;
  /** Sizes, formats and versions that explain the figures. */
  readonly facts: Readonly<Record<string, string | number>>;
  /**
   * Works for about so long, at least one iteration. The device may be busy with the next already
   * when it returns.
   *
   * @throws E_CUDA and errors of files; the signal's reason when it aborts.
   */
  advance(aboutMs: number, signal: AbortSignal): Promise<StressSlice>;
  /** Waits for what is under way and verifies what was not verified yet. */
  finish(): Promise<StressSlice>;
  /**
   * What happened, one sentence, when an error it threw is the device's own fault and ends the run;
   * undefined for every other error.
   */
  failureOf(error: unknown): string | undefined;
  /** Gives back all it took. Twice is once. */
  close(): Promise<void>;
}
