import { describe, expect, it } from "vitest";
import { createRealClock, sleep, VirtualClock } from "../../../src/platform/time/index.ts";

describe("sleep", () => {
  it("resolves when the time has passed and not before", async () => {
    const clock = new VirtualClock();
    let awake = false;
    const asleep = sleep(clock, 100).then(() => {
      awake = true;
    });
    await clock.advance(99);
    expect(awake).toBe(false);
    await clock.advance(1);
    await asleep;
    expect(awake).toBe(true);
  });

  it("rejects with the signal's reason as soon as it aborts, and cancels its timer", async () => {
    const clock = new VirtualClock();
    const controller = new AbortController();
    const asleep = sleep(clock, 100, controller.signal);
    controller.abort(new Error("enough"));
    await expect(asleep).rejects.toThrow("enough");
    expect(clock.timersPending).toBe(0);
  });

  it("does not start when the signal has aborted before", async () => {
    const clock = new VirtualClock();
    await expect(sleep(clock, 100, AbortSignal.abort(new Error("no")))).rejects.toThrow("no");
    expect(clock.timersPending).toBe(0);
  });

  it("does not react to an abort that comes after it woke up", async () => {
    const clock = new VirtualClock();
    const controller = new AbortController();
    const asleep = sleep(clock, 100, controller.signal);
    await clock.advance(100);
    controller.abort(new Error("late"));
    await expect(asleep).resolves.toBeUndefined();
  });

  it("works on the real clock", async () => {
    const clock = createRealClock();
    const startedMs = clock.monotonicMs();
    await sleep(clock, 5);
    // Timers may fire a fraction of a millisecond early by the monotonic clock.
    expect(clock.monotonicMs() - startedMs).toBeGreaterThanOrEqual(4);
  });
});
