import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventQueue } from "../../../../src/chaos/sim/engine/event-queue.ts";

interface Waiting {
  readonly timeUs: number;
  readonly number: number;
  readonly id: number;
}

/** What a list that is sorted by time has first; those of one time stay in the order in which they came. */
function firstOf(list: readonly Waiting[]): Waiting | undefined {
  return list.toSorted((one, other) => one.timeUs - other.timeUs)[0];
}

function takeFrom(queue: EventQueue, untilUs = Infinity) {
  if (!queue.take(untilUs)) return null;
  expect(queue.kind).toBe(queue.a % 7);
  return { timeUs: queue.timeUs, number: queue.a };
}

/** Often the same, often near, and as far as times go: on both sides of each level of the wheel. */
const delay = fc.oneof(
  { weight: 4, arbitrary: fc.nat(4) },
  { weight: 3, arbitrary: fc.nat(5000) },
  {
    weight: 3,
    arbitrary: fc
      .record({ bits: fc.integer({ min: 8, max: 49 }), more: fc.integer({ min: -2, max: 2 }) })
      .map(({ bits, more }) => 2 ** bits + more),
  },
);

const action = fc.oneof(
  { weight: 5, arbitrary: fc.record({ delayUs: delay, times: fc.integer({ min: 1, max: 60 }) }) },
  { weight: 5, arbitrary: fc.record({ takes: fc.integer({ min: 1, max: 40 }), withinUs: delay }) },
  {
    weight: 3,
    arbitrary: fc.record({ cancels: fc.nat(80), every: fc.integer({ min: 1, max: 3 }) }),
  },
);

/** A queue and the list that it is held against. */
class Pair {
  readonly queue = new EventQueue(2 ** 16);
  readonly list: Waiting[] = [];
  nowUs = 0;
  #made = 0;

  push(delayUs: number): void {
    const timeUs = this.nowUs + delayUs;
    const number = this.#made++;
    this.list.push({ timeUs, number, id: this.queue.push(timeUs, number % 7, number, 0) });
  }

  /** False: nothing is due until then; time is then as late as that, as after a run to a limit. */
  take(untilUs: number): boolean {
    const first = firstOf(this.list);
    const isDue = first !== undefined && first.timeUs <= untilUs;
    const expected = isDue ? { timeUs: first.timeUs, number: first.number } : null;
    expect(takeFrom(this.queue, untilUs)).toEqual(expected);
    if (isDue) this.list.splice(this.list.indexOf(first), 1);
    this.nowUs = isDue ? first.timeUs : untilUs;
    return isDue;
  }

  cancel(every: number, count: number): void {
    const chosen = this.list.filter((_, at) => at % every === 0).slice(0, count);
    for (const { id, number } of chosen) {
      expect(this.queue.cancel(id)).toBe(number % 7);
      expect(this.queue.cancel(id)).toBe(-1);
    }
    this.list.splice(0, this.list.length, ...this.list.filter((one) => !chosen.includes(one)));
  }
}

describe("an event queue", () => {
  it("gives what a sorted list gives, whatever is taken back and however far it was let go", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const pair = new Pair();
        for (const one of actions) {
          if ("takes" in one) {
            const untilUs = pair.nowUs + one.withinUs;
            for (let n = 0; n < one.takes; n++) if (!pair.take(untilUs)) break;
          } else if ("cancels" in one) pair.cancel(one.every, one.cancels);
          else for (let n = 0; n < one.times; n++) pair.push(one.delayUs);
          expect(pair.queue.pending).toBe(pair.list.length);
        }
        while (pair.list.length > 0) pair.take(Number.MAX_SAFE_INTEGER);
        expect(takeFrom(pair.queue)).toBe(null);
      }),
    );
  });

  it("gives what was asked for earlier first where a time is near when another asks for it", () => {
    const queue = new EventQueue(16);
    queue.push(3_000_000, 1, 1, 0);
    queue.push(2_999_999, 2, 2, 0);
    expect(takeFrom(queue)?.number).toBe(2);
    queue.push(3_000_000, 3, 3, 0);
    expect([takeFrom(queue)?.number, takeFrom(queue)?.number]).toEqual([1, 3]);
  });

  it("takes what is put before an event that a look came near to", () => {
    const queue = new EventQueue(16);
    queue.push(5_000_000, 1, 1, 0);
    expect(queue.take(4_999_000)).toBe(false);
    queue.push(4_999_500, 2, 2, 0);
    expect([takeFrom(queue)?.number, takeFrom(queue)?.number]).toEqual([2, 1]);
  });

  it("takes nothing that is before what it has given out", () => {
    const queue = new EventQueue(16);
    queue.push(5000, 1, 1, 0);
    expect(takeFrom(queue)?.number).toBe(1);
    expect(() => queue.push(4999, 2, 2, 0)).toThrow("not before");
    queue.push(5000, 2, 2, 0);
    expect(takeFrom(queue)).toEqual({ timeUs: 5000, number: 2 });
  });

  it("goes as far as whole microseconds go", () => {
    const queue = new EventQueue(16);
    queue.push(Number.MAX_SAFE_INTEGER, 1, 1, 0);
    queue.push(Number.MAX_SAFE_INTEGER - 1, 2, 2, 0);
    expect(takeFrom(queue)).toEqual({ timeUs: Number.MAX_SAFE_INTEGER - 1, number: 2 });
    expect(takeFrom(queue)).toEqual({ timeUs: Number.MAX_SAFE_INTEGER, number: 1 });
  });

  it("puts what is asked for while a list is taken behind all of the list", () => {
    const queue = new EventQueue(16);
    for (const number of [1, 2, 3]) queue.push(5, number, number, 0);
    expect(takeFrom(queue)?.number).toBe(1);
    queue.push(5, 4, 4, 0);
    queue.push(6, 5, 5, 0);
    queue.push(5, 6, 6, 0);
    expect([2, 3, 4, 6, 5].map(() => takeFrom(queue)?.number)).toEqual([2, 3, 4, 6, 5]);
  });

  it("does not know the id of an event that is over, though its place is used again", () => {
    const queue = new EventQueue(16);
    const id = queue.push(1, 1, 1, 0);
    takeFrom(queue);
    const next = queue.push(1, 2, 2, 0);
    expect(queue.cancel(id)).toBe(-1);
    expect(queue.cancel(next)).toBe(2);
    expect(queue.pending).toBe(0);
  });

  it("has an id of its own for each event, also of many places and of one used often", () => {
    const queue = new EventQueue(2 ** 15);
    const ids = new Set<number>();
    const pushes = 2 ** 18 + 100;
    for (let n = 0; n < pushes; n++) {
      ids.add(queue.push(n, 1, 1, 0));
      queue.take(n);
    }
    const waiting = Array.from({ length: 10_000 }, (_, n) => queue.push(pushes, n % 7, n, 0));
    for (const id of waiting) ids.add(id);
    expect(ids.size).toBe(pushes + 10_000);
    expect(waiting.map((id) => queue.cancel(id))).toEqual(waiting.map((_, n) => n % 7));
    expect(queue.take(Infinity)).toBe(false);
  });

  it("holds as many as it may, and no more", () => {
    const queue = new EventQueue(2);
    queue.push(1, 0, 0, 0);
    queue.push(1, 0, 0, 0);
    expect(() => queue.push(1, 0, 0, 0)).toThrow("at most 2 events");
  });
});
