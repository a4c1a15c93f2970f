import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventHeap } from "../../../../src/chaos/sim/engine/event-heap.ts";

interface Waiting {
  readonly timeUs: number;
  readonly slot: number;
}

/** What a list that is sorted every time would give. */
function takeFirst(list: Waiting[]): Waiting {
  const first = list.reduce((one, other) =>
    other.timeUs < one.timeUs || (other.timeUs === one.timeUs && other.slot < one.slot)
      ? other
      : one,
  );
  list.splice(list.indexOf(first), 1);
  return first;
}

const action = fc.oneof(
  { weight: 5, arbitrary: fc.record({ push: fc.nat(20) }) },
  { weight: 4, arbitrary: fc.constant("pop" as const) },
  { weight: 1, arbitrary: fc.record({ dropModulo: fc.integer({ min: 2, max: 5 }) }) },
);

describe("an event heap", () => {
  it("gives what a sorted list gives, also after some were taken out of the middle", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
        const heap = new EventHeap();
        let list: Waiting[] = [];
        let next = 0;
        for (const one of actions) {
          if (one === "pop") {
            if (list.length === 0) continue;
            const first = takeFirst(list);
            expect(heap.firstTime()).toBe(first.timeUs);
            expect(heap.pop()).toBe(first.slot);
          } else if ("push" in one) {
            heap.push(one.push, next, next);
            list.push({ timeUs: one.push, slot: next++ });
          } else {
            const keep = (slot: number) => slot % one.dropModulo !== 0;
            heap.replace((slot) => (keep(slot) ? slot : -1));
            list = list.filter(({ slot }) => keep(slot));
          }
          expect(heap.size).toBe(list.length);
        }
        while (list.length > 0) expect(heap.pop()).toBe(takeFirst(list).slot);
      }),
    );
  });

  it("puts another slot in the place of one", () => {
    const heap = new EventHeap();
    for (const slot of [3, 1, 2]) heap.push(10 * slot, slot, slot);
    heap.replace((slot) => slot + 100);
    expect([heap.pop(), heap.pop(), heap.pop()]).toEqual([101, 102, 103]);
  });

  it("grows beyond its first room", () => {
    const heap = new EventHeap();
    for (let slot = 0; slot < 5000; slot++) heap.push((slot * 7919) % 5000, slot, slot);
    const times = Array.from({ length: 5000 }, () => (heap.pop() * 7919) % 5000);
    expect(times).toEqual(Array.from({ length: 5000 }, (_, time) => time));
  });

  it("has no first time, and gives nothing, when it is empty", () => {
    const heap = new EventHeap();
    expect(heap.firstTime()).toBe(Infinity);
    expect(() => heap.pop()).toThrow("an event to take");
  });
});
