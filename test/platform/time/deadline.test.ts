import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { VirtualClock, withDeadline } from "../../../src/platform/time/index.ts";

const what = "The list of nodes";
const never = () => new Promise<never>(() => {});

describe("withDeadline", () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown) => unhandled.push(reason);
  beforeEach(() => {
    unhandled.length = 0;
    process.on("unhandledRejection", onUnhandled);
  });
  afterEach(() => {
    process.off("unhandledRejection", onUnhandled);
  });

  it("returns what the work returns in time, and leaves no timer", async () => {
    const clock = new VirtualClock();
    await expect(withDeadline({ clock, timeoutMs: 100, what }, async () => 7)).resolves.toBe(7);
    expect(clock.timersPending).toBe(0);
  });

  it("passes on the failure of the work, and leaves no timer", async () => {
    const clock = new VirtualClock();
    const work = async () => {
      throw new Error("broken");
    };
    await expect(withDeadline({ clock, timeoutMs: 100, what }, work)).rejects.toThrow("broken");
    expect(clock.timersPending).toBe(0);
  });

  it("treats work that throws at once like work that rejects", async () => {
    const clock = new VirtualClock();
    const work = () => {
      throw new Error("at once");
    };
    await expect(withDeadline({ clock, timeoutMs: 100, what }, work)).rejects.toThrow("at once");
    expect(clock.timersPending).toBe(0);
  });

  it("rejects with E_TIMEOUT naming what took too long, and aborts the inner signal", async () => {
    const clock = new VirtualClock();
    let inner: AbortSignal | undefined;
    const call = withDeadline({ clock, timeoutMs: 5000, what }, (signal) => {
      inner = signal;
      return never();
    });
    const outcome = expect(call).rejects.toMatchObject({
      code: "E_TIMEOUT",
      message: "The list of nodes did not finish within 5 s.",
    });
    await clock.advance(4999);
    expect(inner?.aborted).toBe(false);
    await clock.advance(1);
    await outcome;
    expect(inner?.reason).toMatchObject({ code: "E_TIMEOUT" });
  });

  it("ignores a result and a rejection that come too late", async () => {
    const clock = new VirtualClock();
    for (const late of ["result", "rejection"]) {
      const call = withDeadline({ clock, timeoutMs: 10, what }, async () => {
        await new Promise<void>((resolve) => clock.setTimer(20, resolve));
        if (late === "rejection") throw new Error("late");
        return late;
      });
      const outcome = expect(call).rejects.toMatchObject({ code: "E_TIMEOUT" });
      await clock.advance(30);
      await outcome;
    }
    expect(unhandled).toEqual([]);
  });

  it("ends with the outer signal's reason when that aborts first, and hands it on", async () => {
    const clock = new VirtualClock();
    const outer = new AbortController();
    let inner: AbortSignal | undefined;
    const call = withDeadline({ clock, timeoutMs: 10, what, signal: outer.signal }, (signal) => {
      inner = signal;
      return never();
    });
    outer.abort(new Error("interrupted"));
    await expect(call).rejects.toThrow("interrupted");
    expect(inner?.reason).toMatchObject({ message: "interrupted" });
    expect(clock.timersPending).toBe(0);
  });

  it("does not start the work when the outer signal has aborted before", async () => {
    const clock = new VirtualClock();
    let started = false;
    const signal = AbortSignal.abort(new Error("before"));
    const call = withDeadline({ clock, timeoutMs: 10, what, signal }, async () => {
      started = true;
    });
    await expect(call).rejects.toThrow("before");
    expect(started).toBe(false);
  });

  it("does not hear an outer abort after the work is done", async () => {
    const clock = new VirtualClock();
    const outer = new AbortController();
    let inner: AbortSignal | undefined;
    await withDeadline({ clock, timeoutMs: 10, what, signal: outer.signal }, async (signal) => {
      inner = signal;
    });
    outer.abort();
    expect(inner?.aborted).toBe(false);
  });

  it("lets the tighter of two nested deadlines win, by name", async () => {
    const clock = new VirtualClock();
    const call = withDeadline({ clock, timeoutMs: 100, what: "The whole" }, (signal) =>
      withDeadline({ clock, timeoutMs: 10, what: "The part", signal }, never),
    );
    const outcome = expect(call).rejects.toThrow("The part");
    await clock.advance(100);
    await outcome;
    expect(clock.timersPending).toBe(0);
  });
});
