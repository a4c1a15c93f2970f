import assert from "node:assert/strict";
import { TesseraError } from "../../../platform/errors/index.ts";
import type { RngStream } from "../../../platform/rng/index.ts";
import { hashBytes } from "../../cuda/ops/hash.ts";
import { bytesOf } from "../../tensor/dtype/index.ts";
import type { DType, Tensor } from "../../tensor/index.ts";
import { type Profile, profileOf } from "../calibration/index.ts";
import { dataOf } from "./data-of.ts";
import { randomSigns, type Weights } from "./signs.ts";

/**
 * What a rank tells of its tensor, before or after a collective: a few numbers for each block of
 * elements, so that an error is found though the whole is large, and is placed.
 */
export interface RankSums {
  readonly rank: number;
  readonly dtype: DType;
  readonly elements: number;
  readonly blockElements: number;
  /** The signed sum of each block, in f64. */
  readonly sums: Float64Array;
  /** The sum of magnitudes of each block. */
  readonly sizes: Float64Array;
  /** The largest share that one element has of its block's magnitudes. */
  readonly peak: number;
  /** Of all bits: on ranks that must hold the same, this must be the same. */
  readonly hash: bigint;
  readonly profile: Profile;
}

/** How ranks make their sums: all of a collective in the same way. */
export interface SumPlan {
  readonly elements: number;
  readonly blockElements: number;
  readonly signs: Weights;
}

const blockElementsUsual = 4096;

/** The plan for tensors of so many elements; the same stream gives all ranks the same signs. */
export function planSums(
  elements: number,
  stream: RngStream,
  { blockElements = blockElementsUsual }: { readonly blockElements?: number } = {},
): SumPlan {
  assert(Number.isInteger(elements) && elements >= 0, "whole elements");
  assert(Number.isInteger(blockElements) && blockElements >= 1, "blocks of at least one element");
  // One set of signs for all blocks: an error stays within its block.
  return { elements, blockElements, signs: randomSigns(Math.min(elements, blockElements), stream) };
}

/** The sums of a rank's tensor. @throws E_SHAPE when it has another number of elements */
export function sumsOf(rank: number, tensor: Tensor, plan: SumPlan): RankSums {
  if (tensor.size !== plan.elements) {
    throw new TesseraError("E_SHAPE", {
      operation: "sumsOf",
      problem: `${tensor.size} elements, but the sums are planned for ${plan.elements}`,
    });
  }
  const values = dataOf(tensor);
  const blocks = Math.ceil(plan.elements / plan.blockElements);
  const sums = new Float64Array(blocks);
  const sizes = new Float64Array(blocks);
  let peak = 0;
  for (let block = 0; block < blocks; block++) {
    const start = block * plan.blockElements;
    const count = Math.min(plan.blockElements, plan.elements - start);
    let sum = 0;
    let size = 0;
    let most = 0;
    for (let at = 0; at < count; at++) {
      const value = values[start + at] as number;
      const magnitude = Math.abs(value);
      sum += value * (plan.signs[at] as number);
      size += magnitude;
      if (magnitude > most) most = magnitude;
    }
    sums[block] = sum;
    sizes[block] = size;
    // What is not finite, or nothing at all, has no share.
    if (most / size > peak) peak = most / size;
  }
  const hash = hashBytes(bytesOf(tensor.toRaw()));
  const { dtype, size: elements } = tensor;
  const { blockElements } = plan;
  const profile = profileOf(values);
  return { rank, dtype, elements, blockElements, sums, sizes, peak, hash, profile };
}
