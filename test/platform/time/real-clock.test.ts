import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRealClock } from "../../../src/platform/time/index.ts";

const dayMs = 86_400_000;

describe("createRealClock", () => {
  it("tells the machine's time, and a monotonic time that does not go back", () => {
    const clock = createRealClock();
    const beforeMs = Date.now();
    const nowMs = clock.nowMs();
    expect(nowMs).toBeGreaterThanOrEqual(beforeMs);
    expect(nowMs).toBeLessThanOrEqual(Date.now());
    const first = clock.monotonicMs();
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(first);
  });

  it("fires timers in order of their delay", async () => {
    const clock = createRealClock();
    const fired: string[] = [];
    await new Promise<void>((resolve) => {
      clock.setTimer(30, () => {
        fired.push("late");
        resolve();
      });
      clock.setTimer(0, () => fired.push("early"));
    });
    expect(fired).toEqual(["early", "late"]);
  });
});

describe("createRealClock with timers under control", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("waits longer than the 24.8 days that Node's timers can", () => {
    let fired = false;
    createRealClock().setTimer(60 * dayMs, () => {
      fired = true;
    });
    vi.advanceTimersByTime(60 * dayMs - 1);
    expect(fired).toBe(false);
    vi.advanceTimersByTime(1);
    expect(fired).toBe(true);
  });

  it("cancels a long timer in any of its parts", () => {
    let fired = false;
    const timer = createRealClock({ unref: true }).setTimer(60 * dayMs, () => {
      fired = true;
    });
    vi.advanceTimersByTime(40 * dayMs);
    timer.cancel();
    vi.advanceTimersByTime(40 * dayMs);
    expect(fired).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });
});
