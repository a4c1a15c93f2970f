import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Where } from "../../../../src/chaos/host/control/messages.ts";
import { suspectsOf } from "../../../../src/chaos/host/run/roll-call.ts";

const all = [0, 1, 2, 3];

function inExchange(key: string, members: readonly number[], nth: number): Where {
  return { waiting: { key, members: [...members], nth }, entered: { [key]: nth } };
}
const computing = (key: string, entered: number): Where => ({
  waiting: null,
  entered: { [key]: entered },
});

describe("a roll call", () => {
  it("suspects the rank that has not come to the exchange", () => {
    const waits = inExchange("dp", all, 5);
    expect(suspectsOf([waits, waits, computing("dp", 4), waits], 0)).toEqual([2]);
  });

  it("suspects nobody when everybody has come: then it is the network", () => {
    const waits = inExchange("dp", all, 5);
    expect(suspectsOf([waits, waits, waits, waits], 0)).toEqual([]);
  });

  it("does not suspect who has been there and gone on: its message is on its way", () => {
    const waits = inExchange("dp", all, 5);
    expect(suspectsOf([waits, waits, computing("dp", 5), waits], 0)).toEqual([]);
  });

  it("suspects who does not answer", () => {
    const waits = inExchange("dp", all, 5);
    expect(suspectsOf([waits, undefined, waits, waits], 3)).toEqual([1]);
  });

  it("follows those who wait themselves to the one they wait for", () => {
    // Rank 0 waits for what rank 1 should send; rank 1 is in a sum that rank 3 does not come to.
    const zero: Where = {
      waiting: { key: "pp 1>0", members: [1, 0], nth: 2 },
      entered: { "pp 1>0": 2 },
    };
    const one: Where = {
      waiting: { key: "dp 1 3", members: [1, 3], nth: 7 },
      entered: { "dp 1 3": 7, "pp 1>0": 1 },
    };
    const three = computing("dp 1 3", 6);
    expect(suspectsOf([zero, one, computing("x", 0), three], 0)).toEqual([3]);
  });

  it("never suspects who asks, and ends whatever is answered", () => {
    const where = fc.option(
      fc.record({
        waiting: fc.option(
          fc.record({
            key: fc.constantFrom("a", "b"),
            members: fc.subarray(all),
            nth: fc.integer({ min: 1, max: 3 }),
          }),
        ),
        entered: fc.dictionary(fc.constantFrom("a", "b"), fc.nat({ max: 3 })),
      }),
      { nil: undefined },
    );
    fc.assert(
      fc.property(
        fc.array(where, { minLength: 4, maxLength: 4 }),
        fc.constantFrom(...all),
        (answers, asks) => {
          expect(suspectsOf(answers, asks)).not.toContain(asks);
        },
      ),
    );
  });
});
