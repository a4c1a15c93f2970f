/** Why ranks wait for ever; the words of `stuck` events. */
export const stuckCauses = [
  "different op",
  "different size",
  "missing rank",
  "outside a collective",
  "unmatched send or receive",
  "different order",
] as const;
export type StuckCause = (typeof stuckCauses)[number];

/** Ranks that wait for each other, or for somebody who will never come. */
export interface StuckSet {
  readonly cause: StuckCause;
  /** All that cannot go on, in order. */
  readonly ranks: readonly number[];
  /** Those it hangs on: gone, in the wrong exchange, or blocked elsewhere. */
  readonly culprits: readonly number[];
  /** One sentence for people. */
  readonly reason: string;
}

/** Ranks that wait and will go on: somebody they need is slow. */
export interface SlowSet {
  readonly ranks: readonly number[];
  /** Those that still run and are waited for. */
  readonly waitFor: readonly number[];
  readonly reason: string;
}

export interface WaitReport {
  readonly stuck: readonly StuckSet[];
  /** Null: nobody waits, or all that wait are stuck. */
  readonly slow: SlowSet | null;
}
