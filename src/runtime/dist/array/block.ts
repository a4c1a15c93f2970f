import type { DType, RawArray } from "../../tensor/dtype/index.ts";
import type { Tensor } from "../../tensor/index.ts";
import type { ChunkSource } from "../../tensor/reduce/index.ts";
import type { DimSlice } from "../layout/index.ts";

/** Consecutive elements in row-major order, and where they go. */
export interface Stretch {
  readonly start: number;
  readonly count: number;
  /** The place in `out` of the first element. */
  readonly outStart: number;
}

/**
 * What one device holds. A block is a value: nothing changes it. Devices that hold the same share
 * one block, and many blocks hold nothing but a rule that makes their elements when they are read.
 */
export interface Block {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly size: number;
  /** Copies elements, bit for bit, without keeping anything in memory. */
  read(out: RawArray, stretch: Stretch): void;
  /** The elements for a reduction: a rule where there is one, else storage. */
  source(): ChunkSource;
  /** The elements as a tensor. Made elements are held as long as somebody uses them. */
  tensor(): Tensor;
  /** The part of it that these indices of each dimension name. */
  slice(slices: readonly DimSlice[]): Block;
}

const numbers = new WeakMap<Block, number>();
let next = 0;

/** A text that is the same for two lists only when they hold the same blocks in the same order. */
export function identityOf(blocks: readonly Block[]): string {
  return blocks.map(numberOf).join(",");
}

function numberOf(block: Block): number {
  let number = numbers.get(block);
  if (number === undefined) {
    number = next++;
    numbers.set(block, number);
  }
  return number;
}
