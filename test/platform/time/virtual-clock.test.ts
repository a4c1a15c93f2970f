import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sleep, VirtualClock } from "../../../src/platform/time/index.ts";

describe("VirtualClock", () => {
  it("starts at its epoch and moves only when told to", async () => {
    const clock = new VirtualClock({ epochMs: 1_000_000 });
    expect(clock.nowMs()).toBe(1_000_000);
    await clock.advance(250);
    expect(clock.nowMs()).toBe(1_000_250);
    expect(clock.monotonicMs()).toBe(250);
  });

  it("fires timers in order of due time, then of creation", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(20), { maxLength: 30 }), async (delaysMs) => {
        const clock = new VirtualClock();
        const fired: number[] = [];
        for (const [at, delayMs] of delaysMs.entries())
          clock.setTimer(delayMs, () => fired.push(at));
        await clock.advance(20);
        const expected = [...delaysMs.keys()].toSorted(
          (a, b) => (delaysMs[a] ?? 0) - (delaysMs[b] ?? 0) || a - b,
        );
        expect(fired).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  it("shows each timer the time it was due at", async () => {
    const clock = new VirtualClock();
    const seenMs: number[] = [];
    for (const delayMs of [30, 10, 20]) clock.setTimer(delayMs, () => seenMs.push(clock.nowMs()));
    await clock.advance(100);
    expect(seenMs).toEqual([10, 20, 30]);
  });

  it("fires what timers set on their way, as long as it falls due in time", async () => {
    const clock = new VirtualClock();
    const fired: string[] = [];
    clock.setTimer(10, () => {
      fired.push("first");
      clock.setTimer(5, () => fired.push("within"));
      clock.setTimer(50, () => fired.push("later"));
    });
    await clock.advance(20);
    expect(fired).toEqual(["first", "within"]);
    expect(clock.nextDelayMs).toBe(40);
  });

  it("lets promises run between timers", async () => {
    const clock = new VirtualClock();
    let rounds = 0;
    const loop = async () => {
      for (; rounds < 5; rounds++) await sleep(clock, 10);
    };
    const done = loop();
    await clock.advance(50);
    await done;
    expect(rounds).toBe(5);
  });

  it("does not fire a cancelled timer", async () => {
    const clock = new VirtualClock();
    let fired = 0;
    const timer = clock.setTimer(10, () => fired++);
    clock.setTimer(10, () => fired++);
    timer.cancel();
    timer.cancel();
    await clock.advance(10);
    expect(fired).toBe(1);
    expect(clock.timersPending).toBe(0);
  });

  it("treats a negative delay as none", async () => {
    const clock = new VirtualClock();
    let fired = false;
    clock.setTimer(-5, () => {
      fired = true;
    });
    expect(clock.nextDelayMs).toBe(0);
    await clock.advance(0);
    expect(fired).toBe(true);
  });

  it("reaches far into the future at once", async () => {
    const clock = new VirtualClock();
    let fired = false;
    clock.setTimer(2 ** 40, () => {
      fired = true;
    });
    await clock.advance(2 ** 40 - 1);
    expect(fired).toBe(false);
    await clock.advance(1);
    expect(fired).toBe(true);
  });
});
