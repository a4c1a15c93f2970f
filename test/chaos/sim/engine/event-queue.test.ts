import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventQueue } from "../../../../src/chaos/sim/engine/event-queue.ts";

interface Waiting {
  readonly timeUs: number;
  readonly number: number;
  readonly id: number;
}

/** What a list that is sorted by time gives; those of one time stay in the order in which they came. */
function takeFirst(list: Waiting[]): Waiting {
  const [first] = list.toSorted((one, other) => one.timeUs - other.timeUs) as [Waiting];
  list.splice(list.indexOf(first), 1);
  return first;
}

function takeFrom(queue: EventQueue): { readonly timeUs: number; readonly number: number } {
  const timeUs = queue.firstTime();
  queue.take(timeUs);
  expect(queue.kind).toBe(queue.a % 7);
  return { timeUs, number: queue.a };
}

const action = fc.oneof(
  // Few times, and often the same several times in a row, as at the end of an exchange.
  {
    weight: 4,
    arbitrary: fc.record({ delayUs: fc.nat(4), times: fc.integer({ min: 1, max: 60 }) }),
  },
  { weight: 5, arbitrary: fc.record({ takes: fc.integer({ min: 1, max: 40 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ cancels: fc.nat(80), every: fc.integer({ min: 1, max: 3 }) }),
  },
);

describe("an event queue", () => {
  it("gives what a sorted list gives, whatever is taken back", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const queue = new EventQueue(2 ** 16);
        const list: Waiting[] = [];
        let [nowUs, made] = [0, 0];
        const take = () => {
          const first = takeFirst(list);
          expect(takeFrom(queue)).toEqual({ timeUs: first.timeUs, number: first.number });
          nowUs = first.timeUs;
        };
        for (const one of actions) {
          if ("takes" in one) {
            for (let n = 0; n < one.takes && list.length > 0; n++) take();
          } else if ("cancels" in one) {
            const chosen = list.filter((_, at) => at % one.every === 0).slice(0, one.cancels);
            for (const { id, number } of chosen) {
              expect(queue.cancel(id)).toBe(number % 7);
              expect(queue.cancel(id)).toBe(-1);
            }
            list.splice(0, list.length, ...list.filter((waiting) => !chosen.includes(waiting)));
          } else {
            for (let n = 0; n < one.times; n++) {
              const timeUs = nowUs + one.delayUs;
              const number = made++;
              list.push({ timeUs, number, id: queue.push(timeUs, number % 7, number, 0) });
            }
          }
          expect(queue.pending).toBe(list.length);
        }
        while (list.length > 0) take();
        expect(queue.firstTime()).toBe(Infinity);
      }),
    );
  });

  it("puts what is asked for while a list is taken behind all of the list", () => {
    const queue = new EventQueue(16);
    for (const number of [1, 2, 3]) queue.push(5, number, number, 0);
    expect(takeFrom(queue).number).toBe(1);
    queue.push(5, 4, 4, 0);
    queue.push(6, 5, 5, 0);
    queue.push(5, 6, 6, 0);
    expect([2, 3, 4, 6, 5].map(() => takeFrom(queue).number)).toEqual([2, 3, 4, 6, 5]);
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

  it("holds as many as it may, and no more", () => {
    const queue = new EventQueue(2);
    queue.push(1, 0, 0, 0);
    queue.push(1, 0, 0, 0);
    expect(() => queue.push(1, 0, 0, 0)).toThrow("at most 2 events");
  });
});
