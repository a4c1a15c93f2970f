import { type DType, dtypeInfo } from "../../dtype/index.ts";
import type { KernelModule, Step } from "../../kernels/index.ts";
import { roundUp } from "./memory.ts";
import { randomKernels } from "./random-kernels.ts";
import type { StagedSource } from "./staging.ts";
import type { ChunkPlace } from "./wave.ts";
import { type WidenedType, widenKernels } from "./widen-kernels.ts";

/** Kernels come in steps of so many elements, and buffers have room for that. */
export const stepElements = 16;

export interface Slot {
  readonly dtype: DType;
  /** Where the chunk goes; singles, whatever the dtype was stored as, unless `asStored`. */
  readonly address: number;
  /** Room for a chunk as it is stored, for the dtypes that have to be widened. */
  readonly stored: number;
  readonly asStored?: boolean;
}

export function isWidened(dtype: DType): dtype is WidenedType {
  return dtype === "f16" || dtype === "bf16" || dtype === "e4m3" || dtype === "e5m2";
}

/** A call of a kernel. */
export function callOf(
  module: KernelModule,
  kernel: string,
  args: Extract<Step, { kind: "call" }>["args"],
): Step {
  return { kind: "call", module: module.name, kernel, args };
}

/** Brings one chunk of a source into memory. */
export function stageSteps(source: StagedSource, place: ChunkPlace, slot: Slot): readonly Step[] {
  const { dtype, address, stored, asStored = false } = slot;
  if (source.kind === "random") {
    return [randomCall(`fill-${source.values}`, source, place, address)];
  }
  const { bytes } = dtypeInfo(dtype);
  const widened = isWidened(dtype) && !asStored;
  if (source.kind === "constant") {
    const sizeBytes = roundUp(place.count, stepElements) * (widened ? 4 : bytes);
    const bits = widened ? source.single : source.stored;
    return [callOf(randomKernels, "splat", [address, sizeBytes, ...bits])];
  }
  const copy: Step = {
    kind: "copyIn",
    buffer: source.buffer,
    start: place.at(source.startBytes, bytes),
    address: widened ? stored : address,
    sizeBytes: place.count * bytes,
  };
  if (!widened) return [copy];
  const count = roundUp(place.count, stepElements);
  return [copy, callOf(widenKernels, dtype, [stored, address, count])];
}

/**
 * Calls a kernel that makes values of a stream. It starts at a multiple of 16, so that values which
 * are not asked for may land beside the place for the others.
 */
export function randomCall(
  kernel: string,
  source: Extract<StagedSource, { kind: "random" }>,
  place: ChunkPlace,
  address: number,
): Step {
  const lead = source.start % stepElements;
  return callOf(randomKernels, kernel, [
    ...source.key,
    ...source.counterHigh,
    place.at(source.start - lead, 1),
    address - 4 * lead,
    roundUp(lead + place.count, stepElements),
  ]);
}
