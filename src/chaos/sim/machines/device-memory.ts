import assert from "node:assert/strict";
import type { MemorySample } from "../../record/index.ts";

/** A piece that was allocated. */
export type MemoryPiece = number & { readonly memoryPiece: unique symbol };

/**
 * A device's memory under a caching allocator: segments come from the device and are cut into blocks; a freed
 * block joins its free neighbours and waits for the next request; a segment goes back only as a whole.
 */
export interface DeviceMemory {
  readonly capacityBytes: number;
  /** Undefined: out of memory, also after everything cached was given back. */
  allocate(bytes: number): MemoryPiece | undefined;
  free(piece: MemoryPiece): void;
  /** A process that ended holds nothing. */
  freeAll(): void;
  sample(): MemorySample;
}

const mebibyte = 2 ** 20;
const blockBytes = 512;
const segmentBytes = 2 * mebibyte;
const middleSegmentBytes = 20 * mebibyte;
const blocksMax = 2 ** 14;

interface Block {
  segment: number;
  bytes: number;
  /** Undefined: free. Pins belong to nobody's process. */
  piece: MemoryPiece | "pin" | undefined;
}

/** The model, with what faults do to it. */
export class CachingMemory implements DeviceMemory {
  readonly capacityBytes: number;
  /** In the order of segments, and of addresses within one. */
  #blocks: Block[] = [];
  #segments = 0;
  #pieces = 0;
  #reservedBytes = 0;
  #retries = 0;
  #outOfMemories = 0;
  /** By owner: what something else on the device holds. Of most devices nobody does: null. */
  #taken: Map<number, number> | null = null;
  /** By owner: the segments that its pins keep. */
  #pinned: Map<number, number> | null = null;

  constructor(capacityBytes: number) {
    assert(capacityBytes >= segmentBytes, "a device has room for a segment");
    this.capacityBytes = capacityBytes;
  }

  allocate(bytes: number): MemoryPiece | undefined {
    assert(Number.isSafeInteger(bytes) && bytes > 0, "a piece of memory has bytes");
    const wanted = roundUp(bytes, blockBytes);
    const piece = this.#cut(wanted);
    if (piece !== undefined) return piece;
    if (!this.#reserve(wanted)) {
      this.#retries++;
      this.#giveBack();
      if (!this.#reserve(wanted)) {
        this.#outOfMemories++;
        return undefined;
      }
    }
    return this.#cut(wanted);
  }

  free(piece: MemoryPiece): void {
    const block = this.#blocks.find((one) => one.piece === piece);
    assert(block !== undefined, "a piece of memory is freed once");
    block.piece = undefined;
    this.#join();
  }

  freeAll(): void {
    for (const block of this.#blocks) {
      if (block.piece !== "pin") block.piece = undefined;
    }
    this.#join();
    this.#giveBack();
  }

  sample(): MemorySample {
    const free = this.#blocks.filter(({ piece }) => piece === undefined);
    const freeBytes = sum(free.map(({ bytes }) => bytes));
    const whole = this.#wholeSegments();
    const unreserved = this.#unreservedBytes();
    return {
      allocatedBytes: this.#reservedBytes - freeBytes,
      reservedBytes: this.#reservedBytes,
      inactiveSplitBytes: sum(
        free.filter(({ segment }) => !whole.has(segment)).map(({ bytes }) => bytes),
      ),
      totalFreeBytes: freeBytes + unreserved,
      largestFreeBytes: free.reduce((most, { bytes }) => Math.max(most, bytes), unreserved),
      retries: this.#retries,
      outOfMemories: this.#outOfMemories,
    };
  }

  /** Something else takes what no segment holds, up to so much. */
  take(owner: number, bytes: number): void {
    const takenBytes = Math.min(bytes, this.#unreservedBytes());
    this.#taken ??= new Map();
    this.#taken.set(owner, takenBytes);
  }

  /** Takes all that no segment holds and pins it in pieces, with gaps of so many bytes between them. */
  pin(owner: number, gapBytes: number): void {
    this.#giveBack();
    const bytes = floorTo(this.#unreservedBytes(), blockBytes);
    const room = Math.max(1, (blocksMax >> 2) - this.#blocks.length);
    const gap = roundUp(Math.max(gapBytes, blockBytes, Math.ceil(bytes / room)), blockBytes);
    const count = Math.floor(bytes / (gap + blockBytes));
    if (count === 0) return;
    const segment = this.#segments++;
    for (let at = 0; at < count; at++) {
      this.#blocks.push({ segment, bytes: blockBytes, piece: "pin" });
      this.#blocks.push({ segment, bytes: gap, piece: undefined });
    }
    this.#reservedBytes += count * (gap + blockBytes);
    this.#pinned ??= new Map();
    this.#pinned.set(owner, segment);
  }

  /** Ends what an owner took or pinned. */
  letGo(owner: number): void {
    this.#taken?.delete(owner);
    const segment = this.#pinned?.get(owner);
    if (segment === undefined) return;
    this.#pinned?.delete(owner);
    for (const block of this.#blocks) {
      if (block.segment === segment && block.piece === "pin") block.piece = undefined;
    }
    this.#join();
    this.#giveBack();
  }

  /** Bytes that something else holds, and pins, as they are. */
  disturbance(): { readonly takenBytes: number; readonly pins: number } {
    const pins = this.#blocks.filter(({ piece }) => piece === "pin").length;
    return { takenBytes: this.#takenBytes(), pins };
  }

  /** The smallest free block that is large enough, cut where the rest is worth it. */
  #cut(wanted: number): MemoryPiece | undefined {
    let best: number | undefined;
    for (const [at, { bytes, piece }] of this.#blocks.entries()) {
      if (piece !== undefined || bytes < wanted) continue;
      if (best === undefined || bytes < (this.#blocks[best]?.bytes ?? 0)) best = at;
    }
    const block = best === undefined ? undefined : this.#blocks[best];
    if (best === undefined || block === undefined) return undefined;
    const rest = block.bytes - wanted;
    if (rest >= blockBytes && this.#blocks.length < blocksMax) {
      this.#blocks.splice(best + 1, 0, { segment: block.segment, bytes: rest, piece: undefined });
      block.bytes = wanted;
    }
    const piece = ++this.#pieces as MemoryPiece;
    block.piece = piece;
    return piece;
  }

  #reserve(wanted: number): boolean {
    const isMiddle = wanted > mebibyte && wanted < 10 * mebibyte;
    const bytes = isMiddle ? middleSegmentBytes : roundUp(wanted, segmentBytes);
    if (bytes > this.#unreservedBytes() || this.#blocks.length >= blocksMax) return false;
    this.#blocks.push({ segment: this.#segments++, bytes, piece: undefined });
    this.#reservedBytes += bytes;
    return true;
  }

  #unreservedBytes(): number {
    return this.capacityBytes - this.#reservedBytes - this.#takenBytes();
  }

  #takenBytes(): number {
    return this.#taken === null ? 0 : sum([...this.#taken.values()]);
  }

  /** Free neighbours of a segment become one block. */
  #join(): void {
    const joined: Block[] = [];
    for (const block of this.#blocks) {
      const last = joined.at(-1);
      const joins =
        last !== undefined &&
        last.segment === block.segment &&
        last.piece === undefined &&
        block.piece === undefined;
      if (joins) last.bytes += block.bytes;
      else joined.push(block);
    }
    this.#blocks = joined;
  }

  /** Segments that are one free block. */
  #wholeSegments(): ReadonlySet<number> {
    const whole = new Set<number>();
    const seen = new Set<number>();
    for (const { segment, piece } of this.#blocks) {
      if (!seen.has(segment) && piece === undefined) whole.add(segment);
      else whole.delete(segment);
      seen.add(segment);
    }
    return whole;
  }

  #giveBack(): void {
    const whole = this.#wholeSegments();
    this.#blocks = this.#blocks.filter(({ segment, bytes }) => {
      if (whole.has(segment)) this.#reservedBytes -= bytes;
      return !whole.has(segment);
    });
  }
}

function roundUp(bytes: number, unit: number): number {
  return Math.ceil(bytes / unit) * unit;
}

function floorTo(bytes: number, unit: number): number {
  return Math.floor(bytes / unit) * unit;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
