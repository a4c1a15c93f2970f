import type { DType } from "../../dtype/index.ts";
import type { Step } from "../../kernels/index.ts";
import { combine } from "../fold/order.ts";
import { foldKernels } from "./fold-kernels.ts";
import { roundUp, slotStrideBytes, slotsMax } from "./memory.ts";
import { callOf, type Slot, stageSteps } from "./stage-steps.ts";
import type { StagedSource } from "./staging.ts";
import type { ChunkPlace } from "./wave.ts";

/** Where a job that combines keeps what. */
export interface FoldMemory {
  /** Running values, `slotStrideBytes` apart. */
  readonly stack: number;
  /** Sources on their way into a running value. */
  readonly slots: number;
  readonly stored: number;
}

export interface FoldPlan {
  readonly dtype: DType;
  /** The kernel that combines: one of `foldSteps`. */
  readonly kernel: string;
  readonly sources: readonly StagedSource[];
  readonly steps: readonly number[];
  /** Bytes of one running value. */
  readonly bytes: number;
  /** True when running values are the stored bits themselves. */
  readonly asStored: boolean;
  readonly memory: FoldMemory;
}

/** Combines a chunk of all sources in the given order; the result is the lowest of the stack. */
export function combineSteps(plan: FoldPlan, place: ChunkPlace): readonly Step[] {
  const { kernel, steps, memory } = plan;
  const sizeBytes = roundUp(place.count * plan.bytes, 64);
  const running = (depth: number) => memory.stack + depth * slotStrideBytes;
  const program: Step[] = [];
  const stage = (step: number, address: number) => {
    const slot: Slot = { ...plan, address, stored: memory.stored };
    program.push(...stageSteps(plan.sources[step] as StagedSource, place, slot));
  };
  let top = -1;
  for (let next = 0; next < steps.length; ) {
    const step = steps[next] as number;
    const following = top < 0 ? 0 : chainLength(steps, next);
    if (step === combine) {
      program.push(callOf(foldKernels, kernel, [running(top - 1), running(top), sizeBytes]));
      top--;
      next++;
    } else if (following === 0) {
      top++;
      stage(step, running(top));
      next++;
    } else {
      const batch = following === slotsMax ? slotsMax : 1;
      for (let slot = 0; slot < batch; slot++) {
        stage(steps[next + 2 * slot] as number, memory.slots + slot * slotStrideBytes);
      }
      const name = batch === 1 ? kernel : `${kernel}-all`;
      program.push(callOf(foldKernels, name, [running(top), memory.slots, sizeBytes]));
      next += 2 * batch;
    }
  }
  return program;
}

/** How many sources in a row, up to the number of slots, each go straight into the running value. */
function chainLength(steps: readonly number[], first: number): number {
  let length = 0;
  while (
    length < slotsMax &&
    (steps[first + 2 * length] ?? combine) !== combine &&
    steps[first + 2 * length + 1] === combine
  ) {
    length++;
  }
  return length;
}
