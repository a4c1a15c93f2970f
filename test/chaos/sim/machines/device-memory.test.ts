import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CachingMemory,
  type MemoryPiece,
} from "../../../../src/chaos/sim/machines/device-memory.ts";

const mebibyte = 2 ** 20;

describe("a caching allocator", () => {
  it("keeps what was freed for the next request, and gives it out again", () => {
    const memory = new CachingMemory(100 * mebibyte);
    const piece = memory.allocate(30 * mebibyte) as MemoryPiece;
    expect(memory.sample()).toMatchObject({
      allocatedBytes: 30 * mebibyte,
      reservedBytes: 30 * mebibyte,
    });
    memory.free(piece);
    expect(memory.sample()).toMatchObject({
      allocatedBytes: 0,
      reservedBytes: 30 * mebibyte,
      inactiveSplitBytes: 0,
    });
    memory.allocate(10 * mebibyte);
    expect(memory.sample()).toMatchObject({
      allocatedBytes: 10 * mebibyte,
      reservedBytes: 30 * mebibyte,
      inactiveSplitBytes: 20 * mebibyte,
      totalFreeBytes: 90 * mebibyte,
      largestFreeBytes: 70 * mebibyte,
    });
  });

  it("gives cached segments back and tries again before it is out of memory", () => {
    const memory = new CachingMemory(100 * mebibyte);
    memory.free(memory.allocate(60 * mebibyte) as MemoryPiece);
    expect(memory.allocate(80 * mebibyte)).toBeDefined();
    expect(memory.sample()).toMatchObject({ retries: 1, outOfMemories: 0 });
    expect(memory.allocate(80 * mebibyte)).toBeUndefined();
    expect(memory.sample()).toMatchObject({ retries: 2, outOfMemories: 1 });
  });

  it("is out of memory in pieces where it would not be in one", () => {
    const allocateEverything = (memory: CachingMemory) =>
      Array.from({ length: 10 }, () => memory.allocate(10 * mebibyte) as MemoryPiece);
    const scattered = new CachingMemory(100 * mebibyte);
    for (const [at, piece] of allocateEverything(scattered).entries()) {
      if (at % 2 === 0) scattered.free(piece);
    }
    expect(scattered.sample().totalFreeBytes).toBe(50 * mebibyte);
    // Segments that are free as a whole go back to the device, which is one piece again.
    expect(scattered.allocate(40 * mebibyte)).toBeDefined();
    const pinned = new CachingMemory(100 * mebibyte);
    pinned.pin(1, 10 * mebibyte);
    expect(pinned.sample().totalFreeBytes).toBeGreaterThan(80 * mebibyte);
    expect(pinned.allocate(40 * mebibyte)).toBeUndefined();
  });

  it("never gives out more than there is, and adds up, whatever is asked of it", () => {
    const action = fc.oneof(
      fc.record({ allocate: fc.integer({ min: 1, max: 40 * mebibyte }) }),
      fc.record({ free: fc.nat(100) }),
      fc.record({ pin: fc.integer({ min: 1, max: 30 * mebibyte }) }),
      fc.record({ take: fc.integer({ min: 1, max: 60 * mebibyte }) }),
      fc.constant("let go" as const),
      fc.constant("free all" as const),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const memory = new CachingMemory(128 * mebibyte);
        let pieces: { readonly piece: MemoryPiece; readonly bytes: number }[] = [];
        let owner = 0;
        for (const one of actions) {
          if (one === "let go") memory.letGo(owner);
          else if (one === "free all") {
            memory.freeAll();
            pieces = [];
          } else if ("allocate" in one) {
            const piece = memory.allocate(one.allocate);
            const bytes = 512 * Math.ceil(one.allocate / 512);
            if (piece !== undefined) pieces.push({ piece, bytes });
          } else if ("free" in one) {
            for (const { piece } of pieces.splice(one.free % Math.max(1, pieces.length), 1)) {
              memory.free(piece);
            }
          } else if ("pin" in one) memory.pin(++owner, one.pin);
          else memory.take(++owner, one.take);
          const sample = memory.sample();
          const { takenBytes, pins } = memory.disturbance();
          const heldBytes = pieces.reduce((total, { bytes }) => total + bytes, 512 * pins);
          const { allocatedBytes, totalFreeBytes, reservedBytes, inactiveSplitBytes } = sample;
          expect(allocatedBytes).toBe(heldBytes);
          expect(allocatedBytes + totalFreeBytes + takenBytes).toBe(memory.capacityBytes);
          expect(sample.largestFreeBytes).toBeLessThanOrEqual(totalFreeBytes);
          expect(inactiveSplitBytes).toBeLessThanOrEqual(reservedBytes - allocatedBytes);
          expect(
            Math.min(allocatedBytes, totalFreeBytes, inactiveSplitBytes),
          ).toBeGreaterThanOrEqual(0);
        }
        for (let each = 0; each <= owner; each++) memory.letGo(each);
        memory.freeAll();
        expect(memory.sample()).toMatchObject({
          allocatedBytes: 0,
          reservedBytes: 0,
          largestFreeBytes: memory.capacityBytes,
        });
      }),
    );
  });

  it("is as it was once what fragmented it has let go", () => {
    const memory = new CachingMemory(1024 * mebibyte);
    memory.allocate(100 * mebibyte);
    const before = memory.sample();
    memory.pin(1, 4 * mebibyte);
    const { inactiveSplitBytes, reservedBytes } = memory.sample();
    expect(inactiveSplitBytes / reservedBytes).toBeGreaterThan(0.8);
    memory.letGo(1);
    expect(memory.sample()).toEqual(before);
  });

  it("refuses to free twice and to allocate nothing", () => {
    const memory = new CachingMemory(100 * mebibyte);
    const piece = memory.allocate(1) as MemoryPiece;
    memory.free(piece);
    expect(() => memory.free(piece)).toThrow("once");
    expect(() => memory.allocate(0)).toThrow("bytes");
  });
});
