import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Clock,
  createRealClock,
  createScaledClock,
  sleep,
  VirtualClock,
} from "../../../src/platform/time/index.ts";

const startAtMs = 1_000_000;

function scaled(speed: number) {
  const base = new VirtualClock({ epochMs: 7 });
  return { base, clock: createScaledClock({ base, speed, startAtMs }) };
}

describe("ScaledClock", () => {
  it("starts where it is told and runs as many times faster as it is told", async () => {
    const { base, clock } = scaled(1440);
    expect(clock.nowMs()).toBe(startAtMs);
    expect(clock.monotonicMs()).toBe(0);
    await base.advance(60_000);
    expect(clock.nowMs()).toBe(startAtMs + 86_400_000);
    expect(clock.monotonicMs()).toBe(86_400_000);
  });

  it("stands still while its base does", async () => {
    const { base, clock } = scaled(10);
    await base.advance(5);
    expect([clock.nowMs(), clock.nowMs()]).toEqual([startAtMs + 50, startAtMs + 50]);
  });

  it("says whole milliseconds however odd its speed", async () => {
    const { base, clock } = scaled(1 / 7);
    await base.advance(10);
    expect(clock.nowMs()).toBe(startAtMs + 1);
    expect(clock.monotonicMs()).toBeCloseTo(10 / 7);
  });

  it("does not follow when its base is set to another date", () => {
    let nowMs = 0;
    const base: Clock = { ...createRealClock(), nowMs: () => nowMs, monotonicMs: () => 3 };
    const clock = createScaledClock({ base, speed: 2, startAtMs });
    nowMs = 1e12;
    expect(clock.nowMs()).toBe(startAtMs);
  });

  it("fires each timer at the base's moment that is its due time, in order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(5000), { maxLength: 30 }),
        fc.double({ min: 0.01, max: 100_000, noNaN: true }),
        async (delaysMs, speed) => {
          const { base, clock } = scaled(speed);
          const fired: { at: number; shown: number; base: number }[] = [];
          for (const [at, delayMs] of delaysMs.entries()) {
            clock.setTimer(delayMs, () => {
              fired.push({ at, shown: clock.monotonicMs(), base: base.monotonicMs() });
            });
          }
          await base.advance(5001 / speed);
          const expected = [...delaysMs.keys()].toSorted(
            (a, b) => (delaysMs[a] ?? 0) - (delaysMs[b] ?? 0) || a - b,
          );
          expect(fired.map(({ at }) => at)).toEqual(expected);
          for (const { at, shown, base: baseMs } of fired) {
            const dueMs = delaysMs[at] ?? 0;
            expect(shown).toBeGreaterThanOrEqual(dueMs);
            expect(shown).toBeCloseTo(dueMs, 3);
            expect(baseMs).toBeCloseTo(dueMs / speed, 6);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it("waits on when the base's timer was early, and shows no timer less than its due time", () => {
    let monotonicMs = 0;
    const timers: (() => void)[] = [];
    const base: Clock = {
      nowMs: () => 0,
      monotonicMs: () => monotonicMs,
      setTimer: (_, callback) => {
        timers.push(callback);
        return { cancel: () => {} };
      },
    };
    const clock = createScaledClock({ base, speed: 1000, startAtMs });
    let firedAt: number | undefined;
    clock.setTimer(10_000, () => {
      firedAt = clock.monotonicMs();
    });
    monotonicMs = 9.7;
    timers.shift()?.();
    expect(firedAt).toBeUndefined();
    monotonicMs = 10.1;
    timers.shift()?.();
    expect(firedAt).toBe(10_100);
  });

  it("does not fire a cancelled timer, and keeps no timer of the base for it", async () => {
    const { base, clock } = scaled(100);
    const fired: string[] = [];
    const first = clock.setTimer(100, () => fired.push("first"));
    const second = clock.setTimer(200, () => fired.push("second"));
    first.cancel();
    first.cancel();
    expect(base.timersPending).toBe(1);
    second.cancel();
    expect(base.timersPending).toBe(0);
    await base.advance(10);
    expect(fired).toEqual([]);
  });

  it("lets a timer cancel another of the same moment, and set new ones", async () => {
    const { base, clock } = scaled(50);
    const fired: string[] = [];
    clock.setTimer(100, () => {
      fired.push("first");
      second.cancel();
      clock.setTimer(0, () => fired.push("third"));
    });
    const second = clock.setTimer(100, () => fired.push("second"));
    await base.advance(2);
    expect(fired).toEqual(["first", "third"]);
  });

  it("fires the timers after one whose callback throws", async () => {
    const { base, clock } = scaled(1);
    const fired: string[] = [];
    clock.setTimer(5, () => {
      throw new Error("thrown on purpose");
    });
    clock.setTimer(5, () => fired.push("second"));
    await expect(base.advance(10)).rejects.toThrow("thrown on purpose");
    await base.advance(10);
    expect(fired).toEqual(["second"]);
  });

  it("lets a day be slept on the machine's own clock", async () => {
    const clock = createScaledClock({ base: createRealClock(), speed: 8_640_000, startAtMs });
    await sleep(clock, 86_400_000);
    expect(clock.nowMs()).toBeGreaterThanOrEqual(startAtMs + 86_400_000);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("refuses the speed %s", (speed) => {
    expect(() => scaled(speed)).toThrow("a clock's speed is a positive number");
  });
});
