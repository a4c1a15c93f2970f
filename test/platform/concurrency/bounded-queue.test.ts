import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BoundedQueue, OverflowError } from "../../../src/platform/concurrency/index.ts";

async function collect<T extends number | string>(queue: BoundedQueue<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of queue) items.push(item);
  return items;
}

describe("BoundedQueue", () => {
  it("hands on every item in order with the policy wait, and never holds too many", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(30), fc.integer({ min: 1, max: 5 }), async (count, capacity) => {
        const queue = new BoundedQueue<number>({ capacity, overflow: "wait" });
        const numbers = Array.from({ length: count }, (_, at) => at);
        const write = async () => {
          // All at once: most of them have to wait for room.
          await Promise.all(numbers.map((item) => queue.push(item)));
          queue.close();
        };
        const written = write();
        const items: number[] = [];
        for await (const item of queue) {
          items.push(item);
          expect(queue.size).toBeLessThanOrEqual(capacity);
        }
        await written;
        expect(items).toEqual(numbers);
        expect(queue.dropped).toBe(0);
      }),
      { numRuns: 30 },
    );
  });

  it("gives room to the writer who has waited longest, before any newcomer", async () => {
    const queue = new BoundedQueue<string>({ capacity: 1, overflow: "wait" });
    await queue.push("first");
    const waiting = queue.push("second");
    expect(await queue.take()).toBe("first");
    expect(queue.offer("newcomer")).toBe(false);
    await waiting;
    expect(await queue.take()).toBe("second");
  });

  it("refuses what does not fit with the policy reject", async () => {
    const queue = new BoundedQueue<number>({ capacity: 2, overflow: "reject" });
    await queue.push(1);
    await queue.push(2);
    await expect(queue.push(3)).rejects.toThrow(OverflowError);
    expect(queue.offer(3)).toBe(false);
    expect(await queue.take()).toBe(1);
    expect(queue.offer(3)).toBe(true);
  });

  it("drops the oldest and counts it with the policy dropOldest", async () => {
    const queue = new BoundedQueue<number>({ capacity: 2, overflow: "dropOldest" });
    for (const item of [1, 2, 3, 4]) expect(queue.offer(item)).toBe(true);
    queue.close();
    expect(queue.dropped).toBe(2);
    expect(await collect(queue)).toEqual([3, 4]);
  });

  it("hands an item straight to a reader who waits", async () => {
    const queue = new BoundedQueue<number>({ capacity: 1, overflow: "reject" });
    const readers = [queue.take(), queue.take()];
    expect(queue.offer(1)).toBe(true);
    expect(queue.offer(2)).toBe(true);
    expect(await Promise.all(readers)).toEqual([1, 2]);
    expect(queue.size).toBe(0);
  });

  it("lets readers finish what is left after closing, then ends them", async () => {
    const queue = new BoundedQueue<number>({ capacity: 5, overflow: "wait" });
    await queue.push(1);
    queue.close();
    expect(await queue.take()).toBe(1);
    expect(await queue.take()).toBeUndefined();
  });

  it("ends readers and refuses writers that wait when it closes", async () => {
    const empty = new BoundedQueue<number>({ capacity: 1, overflow: "wait" });
    const reader = empty.take();
    empty.close();
    expect(await reader).toBeUndefined();

    const full = new BoundedQueue<number>({ capacity: 1, overflow: "wait" });
    await full.push(1);
    const writer = full.push(2);
    full.close();
    await expect(writer).rejects.toThrow("closed");
    await expect(full.push(3)).rejects.toThrow("closed");
    expect(full.offer(3)).toBe(false);
  });

  it("forgets writers and readers whose signal aborts", async () => {
    const queue = new BoundedQueue<number>({ capacity: 1, overflow: "wait" });
    const controller = new AbortController();
    const reader = queue.take(controller.signal);
    controller.abort(new Error("enough"));
    await expect(reader).rejects.toThrow("enough");

    await queue.push(1);
    const second = new AbortController();
    const writer = queue.push(2, second.signal);
    second.abort(new Error("enough"));
    await expect(writer).rejects.toThrow("enough");
    queue.close();
    expect(await collect(queue)).toEqual([1]);
  });

  it("limits how many wait", async () => {
    const queue = new BoundedQueue<number>({ capacity: 1, overflow: "wait", waitersMax: 1 });
    await queue.push(1);
    const waiting = queue.push(2);
    await expect(queue.push(3)).rejects.toThrow(OverflowError);
    await queue.take();
    await waiting;
    expect(queue.size).toBe(1);
  });

  it("needs room for at least one item", () => {
    expect(() => new BoundedQueue({ capacity: 0, overflow: "wait" })).toThrow("at least 1");
  });
});
