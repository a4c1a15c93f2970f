import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linuxRetransmission, passesAtUs } from "../../../src/chaos/transport/index.ts";

const exact = { retransmitUs: 1000, retransmitsMax: 4, tickUs: 0 };
const chance = () => 0.5;

describe("a transport that sends again what did not get through", () => {
  it("sends nothing again when the link takes it", () => {
    expect(passesAtUs(7, exact, { chance, passes: () => true })).toBe(7);
  });

  it("waits twice as long each time, and gives up after its last one", () => {
    const tried: number[] = [];
    const passes = (atUs: number) => tried.push(atUs) === 0;
    expect(passesAtUs(0, exact, { chance, passes })).toBe(Number.POSITIVE_INFINITY);
    expect(tried).toEqual([0, 1000, 3000, 7000, 15_000]);
  });

  it("is late by no more than the kernel's timers are coarse, longer waits by more", () => {
    const fraction = fc.double({ min: 0, max: 0.999999, noNaN: true });
    fc.assert(
      fc.property(fraction, (late) => {
        const tried: number[] = [];
        const passes = (atUs: number) => tried.push(atUs) === 6;
        passesAtUs(0, linuxRetransmission, { chance: () => late, passes });
        const lateUs = tried
          .slice(1)
          .map((atUs, at) => atUs - (tried[at] ?? 0) - 204_000 * 2 ** at);
        const coarseUs = [4000, 32_000, 32_000, 32_000, 256_000];
        expect(lateUs).toEqual(coarseUs.map((us) => Math.floor(us * late)));
      }),
    );
  });

  it("gets through a link that flaps in step with it, because no two waits are late alike", () => {
    // Retransmissions without lateness would come 0 or 200 ms after the link went down, for ever.
    const passes = (atUs: number) => atUs % 600_000 >= 300_000;
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 0.999999, noNaN: true })), (lates) => {
        const next = () => Number(lates.next().value);
        const inStep = { ...linuxRetransmission, retransmitUs: 200_000 };
        const stiff = { ...inStep, tickUs: 0 };
        expect(passesAtUs(0, stiff, { chance: next, passes })).toBe(Number.POSITIVE_INFINITY);
        const atUs = passesAtUs(0, linuxRetransmission, { chance: next, passes });
        expect(atUs === Number.POSITIVE_INFINITY || passes(atUs)).toBe(true);
      }),
    );
    const even = passesAtUs(0, linuxRetransmission, { chance, passes });
    expect(even).toBeLessThan(10_000_000);
  });
});
