import type { CollectiveOp } from "../../dist/time-model/types.ts";
import type { CollectiveTransport, WireDType } from "../ranks.ts";

export interface MeasureOptions {
  readonly transport: CollectiveTransport;
  readonly op: CollectiveOp;
  /** S of nccl-tests, one or more. */
  readonly sizes: readonly number[];
  /** @default "f32" */
  readonly dtype?: WireDType;
  /** For broadcast, reduce, gather, scatter. @default 0 */
  readonly root?: number;
  /** Runs before the first that counts. @default 2 */
  readonly warmUp?: number;
  /** Runs that count, for each size. @default 10 */
  readonly iterations?: number;
  /** Ends the measuring; the call then rejects with its reason. */
  readonly signal?: AbortSignal;
  /** Told after each size. */
  readonly onSize?: (measured: MeasuredSize) => void;
  /**
   * Hands this rank's times of one size to all ranks; resolves to everyone's, by rank. `world.gather`
   * does it.
   */
  readonly share: (own: RankTimes) => Promise<readonly RankTimes[]>;
}

/** What one rank knows about one size. */
export interface RankTimes {
  readonly timesUs: readonly number[];
  readonly wrong: number;
  readonly elements: number;
  /** Describes the first wrong element. */
  readonly first?: string;
}

/** One size, measured: the same on every rank. */
export interface MeasuredSize {
  readonly op: CollectiveOp;
  /** S after rounding to whole elements for each rank. */
  readonly bytes: number;
  readonly dtype: WireDType;
  readonly ranks: number;
  /** The time of the slowest rank in each iteration. */
  readonly timesUs: readonly number[];
  /** The median of them. */
  readonly timeUs: number;
  /** S / time, in 10^9 bytes a second; 0 for a barrier. */
  readonly algbwGBps: number;
  /** algbw times the factor of nccl-tests. */
  readonly busbwGBps: number;
  /** Elements with a wrong value, over all ranks. */
  readonly wrong: number;
  readonly elements: number;
  /** The first wrong element and the rank that found it. */
  readonly firstWrong?: string;
}
