import type { DType } from "../../../tensor/index.ts";
import type { ReduceOp, ReduceOrder } from "../../../tensor/reduce/index.ts";

export interface GroupOptions {
  /** The mesh axes whose ranks take part. @default all axes */
  readonly over?: string | readonly string[];
}

export interface GatherOptions extends GroupOptions {
  /** The dimension along which the ranks' tensors are joined; only there may they differ. @default 0 */
  readonly dim?: number;
}

export interface BroadcastOptions extends GroupOptions {
  /** Whose tensor everyone gets: a place in the group, from 0. @default 0 */
  readonly root?: number;
}

export interface AllToAllOptions extends GroupOptions {
  /** The dimension that is cut, one part for each member. @default 0 */
  readonly splitDim?: number;
  /** The dimension along which what arrives is joined, in the order of the members. @default the same */
  readonly concatDim?: number;
  /**
   * The length of the part for each member, where both dimensions are the same one.
   * @default ceil(length / members) each, the last ones less
   */
  readonly parts?: readonly number[];
}

export interface MessageOptions {
  /** Messages between two ranks are told apart by it. @default 0 */
  readonly tag?: number | string;
}

export interface ReceiveOptions extends MessageOptions {
  /** What is expected; a message of another shape is an error for both. @default any */
  readonly shape?: readonly number[];
  /** What is expected; a message of another dtype is an error for both. @default any */
  readonly dtype?: DType;
}

export interface ReduceOptions extends GroupOptions {
  /** @default "sum" */
  readonly op?: ReduceOp;
  /** @default "exact": the exact sum, rounded once */
  readonly order?: ReduceOrder;
  /** What carries the running value of f16, bf16 and fp8 in another order. @default "f32" */
  readonly accumulate?: "dtype" | "f32";
}

export interface ReduceScatterOptions extends ReduceOptions {
  /** The dimension that is split over the group. @default 0 */
  readonly dim?: number;
}
