import type { DType } from "../../../tensor/dtype/index.ts";
import type { Block } from "../../array/block.ts";
import type { RedistributeStep } from "../plan/plan-types.ts";
import type { Movement } from "./movement.ts";

/** A step to carry out. */
export interface StepWork {
  readonly step: RedistributeStep;
  /** The whole tensor's shape. */
  readonly shape: readonly number[];
  readonly dtype: DType;
  /** What each rank of the old mesh hands in. */
  readonly blocks: readonly Block[];
  readonly movement: Movement;
}

/** The block of a rank that the mesh has. */
export function blockOf({ blocks }: StepWork, rank: number): Block {
  const block = blocks[rank];
  if (block === undefined) throw new RangeError(`no block for rank ${rank}`);
  return block;
}
