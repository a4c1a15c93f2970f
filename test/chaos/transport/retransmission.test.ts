import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  linuxRetransmission,
  longestWaitUs,
  nextTry,
  type Retransmission,
  type Try,
} from "../../../src/chaos/transport/index.ts";

const exact = { retransmitUs: 1000, retransmitsMax: 4, tickUs: 0 };
const half = () => 0.5;
const fraction = fc.double({ min: 0, max: 0.999999, noNaN: true });

/** When a message is sent until its link takes it; null at the end: the connection broke. */
function triesOf(
  retransmission: Retransmission,
  { chance, passes }: { readonly chance: () => number; passes(atUs: number): boolean },
): readonly (number | null)[] {
  const tries: (number | null)[] = [];
  let next: Try | null = { atUs: 0, before: 0 };
  for (;;) {
    tries.push(next?.atUs ?? null);
    if (next === null || passes(next.atUs)) return tries;
    next = nextTry(next, next.atUs, retransmission, chance);
  }
}

describe("a transport that sends again what did not get through", () => {
  it("waits twice as long each time, and gives up after its last one", () => {
    const tries = triesOf(exact, { chance: half, passes: () => false });
    expect(tries).toEqual([0, 1000, 3000, 7000, 15_000, null]);
  });

  it("leaves out the tries that nobody could have taken, and counts them", () => {
    const first = { atUs: 0, before: 0 };
    expect(nextTry(first, 0, exact, half)).toEqual({ atUs: 1000, before: 1 });
    expect(nextTry(first, 1001, exact, half)).toEqual({ atUs: 3000, before: 2 });
    expect(nextTry(first, 15_000, exact, half)).toEqual({ atUs: 15_000, before: 4 });
    expect(nextTry(first, 15_001, exact, half)).toBeNull();
  });

  it("is late by no more than the kernel's timers are coarse, longer waits by more", () => {
    fc.assert(
      fc.property(fraction, (late) => {
        const tries = triesOf(linuxRetransmission, {
          chance: () => late,
          passes: (atUs) => atUs > 6_000_000,
        });
        const lateUs = tries
          .slice(1)
          .map((atUs, at) => (atUs ?? 0) - (tries[at] ?? 0) - 204_000 * 2 ** at);
        const coarseUs = [4000, 32_000, 32_000, 32_000, 256_000];
        expect(lateUs).toEqual(coarseUs.map((us) => Math.floor(us * late)));
      }),
    );
  });

  it("gets through a link that flaps in step with it, because no two waits are late alike", () => {
    // Retransmissions without lateness would come 0 or 200 ms after the link went down, for ever.
    const passes = (atUs: number) => atUs % 600_000 >= 300_000;
    fc.assert(
      fc.property(fc.infiniteStream(fraction), (lates) => {
        const chance = () => Number(lates.next().value);
        const stiff = { ...linuxRetransmission, retransmitUs: 200_000, tickUs: 0 };
        expect(triesOf(stiff, { chance, passes }).at(-1)).toBeNull();
        const last = triesOf(linuxRetransmission, { chance, passes }).at(-1) ?? null;
        expect(last === null || passes(last)).toBe(true);
      }),
    );
    expect(triesOf(linuxRetransmission, { chance: half, passes }).at(-1)).toBeLessThan(10_000_000);
  });
});

describe("the longest wait behind a link that takes nothing for a while", () => {
  it("is that until the next try after it, and none where nothing was shut", () => {
    expect(longestWaitUs(0, exact)).toBe(0);
    expect(longestWaitUs(1, exact)).toBe(1000);
    expect(longestWaitUs(1000, exact)).toBe(1000);
    expect(longestWaitUs(1001, exact)).toBe(3000);
    expect(longestWaitUs(15_000, exact)).toBe(15_000);
    expect(longestWaitUs(15_001, exact)).toBe(Number.POSITIVE_INFINITY);
  });

  it("is for Linux what the documentation says", () => {
    const shutMs = [204, 612, 1428, 3060, 6324];
    const waitsMs = shutMs.map((ms) => longestWaitUs(1000 * ms, linuxRetransmission) / 1000);
    expect(waitsMs).toEqual([208, 648, 1496, 3160, 6680]);
  });

  it("is never exceeded, however late timers are and whenever in it something is sent", () => {
    const shut = fc.integer({ min: 1, max: 50_000_000 });
    fc.assert(
      fc.property(shut, fraction, fc.infiniteStream(fraction), (shutUs, share, lates) => {
        const sentUs = Math.floor(share * shutUs);
        const tries = triesOf(linuxRetransmission, {
          chance: () => Number(lates.next().value),
          passes: (atUs) => sentUs + atUs >= shutUs,
        });
        expect(tries.at(-1)).toBeLessThanOrEqual(longestWaitUs(shutUs, linuxRetransmission));
      }),
    );
  });
});
