import type { Step } from "../../kernels/index.ts";
import { MemoryPlan } from "./memory.ts";
import { callOf, type Slot, stageSteps } from "./stage-steps.ts";
import type { StagedSource } from "./staging.ts";
import type { SumPlan } from "./sum-steps.ts";
import { superAddendsMax, superBytes, superKernels, superScratchBytes } from "./super-kernels.ts";
import type { ChunkPlace } from "./wave.ts";

/** Elements of a chunk: their accumulators stay close to the core. */
export const superChunk = 2048;

/** Where a job that accumulates keeps what. */
export interface SuperMemory {
  readonly bits: number;
  readonly list: number;
  readonly total: number;
  readonly partial: number;
  readonly values: number;
  readonly results: number;
  readonly scratch: number;
  readonly stored: number;
  readonly slot: number;
  readonly sizeBytes: number;
}

export function planSuperMemory(): SuperMemory {
  const plan = new MemoryPlan();
  const places = {
    bits: plan.reserve(superChunk / 8),
    list: plan.reserve(4 + 4 * superChunk),
    total: plan.reserve(superBytes * superChunk),
    partial: plan.reserve(superBytes * superChunk),
    values: plan.reserve(8 * superChunk),
    results: plan.reserve(8 * superChunk),
    scratch: plan.reserve(superScratchBytes),
    stored: plan.reserve(2 * superChunk),
    slot: plan.reserve(4 * superChunk),
  };
  return { ...places, sizeBytes: plan.sizeBytes };
}

export interface SuperPlan extends Omit<SumPlan, "memory" | "spreadMax"> {
  readonly memory: SuperMemory;
}

/** Accumulates the listed elements of a chunk, group by group; their values end up in `values`. */
export function superSteps(plan: SuperPlan, place: ChunkPlace): readonly Step[] {
  const { bits, list, total, partial, values, scratch } = plan.memory;
  const single = plan.groups.length === 1;
  return [
    callOf(superKernels, "list", [bits, place.count, list]),
    callOf(superKernels, "clear", [list, total]),
    ...(single ? [] : [callOf(superKernels, "clear", [list, partial])]),
    ...plan.groups.flatMap((group) => [
      ...accumulateSteps(plan, place, { group, limbs: single ? total : partial }),
      ...(single ? [] : [callOf(superKernels, "merge", [list, total, partial])]),
    ]),
    callOf(superKernels, "finish", [list, total, plan.divisor, scratch, values]),
  ];
}

function accumulateSteps(
  plan: SuperPlan,
  place: ChunkPlace,
  { group, limbs }: { readonly group: readonly number[]; readonly limbs: number },
): readonly Step[] {
  const { list, slot: address, stored } = plan.memory;
  const slot: Slot = { dtype: plan.dtype, address, stored };
  return group.flatMap((index, position) => {
    const isFull = (position + 1) % superAddendsMax === 0 || position === group.length - 1;
    return [
      ...stageSteps(plan.sources[index] as StagedSource, place, slot),
      callOf(superKernels, "add", [list, address, limbs]),
      ...(isFull ? [callOf(superKernels, "carry", [list, limbs])] : []),
    ];
  });
}
