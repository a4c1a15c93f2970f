import assert from "node:assert/strict";

/** Hands out the memory of a job from address 0 up. */
export class MemoryPlan {
  #end = 0;

  /** Room for so many bytes, with as many to spare on both sides as a kernel may overshoot by. */
  reserve(sizeBytes: number): number {
    const start = this.#end + spareBytes;
    this.#end = roundUp(start + sizeBytes, spareBytes) + spareBytes;
    return start;
  }

  get sizeBytes(): number {
    return this.#end;
  }
}

const spareBytes = 64;

/** Elements of a chunk. The longer the stretches that are copied, the faster: measured, not derived. */
export const chunkElements = 65_536;
/** Sources that are brought in before they are combined. */
export const slotsMax = 4;
/** From one slot for a chunk of singles to the next. */
export const slotStrideBytes = 4 * chunkElements + 2 * spareBytes;

/** Room for as many chunks as are combined at a time, in slots of one distance. */
export function reserveSlots(plan: MemoryPlan, slots: number): number {
  const first = plan.reserve(4 * chunkElements);
  for (let slot = 1; slot < slots; slot++) {
    const address = plan.reserve(4 * chunkElements);
    assert(address === first + slot * slotStrideBytes, "slots lie at the distance kernels know");
  }
  return first;
}

export function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}
