import { describe, expect, it } from "vitest";
import { startSampler } from "../../../../src/hardware/harness/recovery/index.ts";
import { VirtualClock } from "../../../../src/platform/time/index.ts";

describe("the sampling of requests", () => {
  it("asks at a fixed rate, however the requests end", async () => {
    const clock = new VirtualClock();
    let asked = 0;
    const ask = async () => {
      asked++;
      if (asked === 2) throw new Error("no connection to the API server");
      return asked !== 3;
    };
    const sampler = startSampler({ ask, clock, intervalMs: 100 });
    await clock.advance(450);
    await sampler.stop();
    expect(sampler.samples.map(({ sentMs }) => sentMs)).toEqual([0, 100, 200, 300, 400]);
    expect(sampler.samples.map(({ outcome }) => outcome)).toEqual([
      "ok",
      "unknown",
      "failed",
      "ok",
      "ok",
    ]);
    expect(clock.timersPending).toBe(0);
  });

  it("is not held back by requests that hang, which fail at their limit", async () => {
    const clock = new VirtualClock();
    let most = 0;
    let now = 0;
    const ask = (signal: AbortSignal) => {
      most = Math.max(most, ++now);
      return new Promise<boolean>((_, reject) => {
        signal.addEventListener("abort", () => {
          now--;
          reject(signal.reason);
        });
      });
    };
    const sampler = startSampler({ ask, clock, intervalMs: 100, timeoutMs: 500 });
    await clock.advance(2000);
    await sampler.stop({ cut: true });
    expect(sampler.samples.length).toBeGreaterThanOrEqual(15);
    const limited = sampler.samples.filter(({ sentMs }) => sentMs <= 1500);
    expect(limited.every(({ outcome }) => outcome === "failed")).toBe(true);
    expect(most).toBeLessThanOrEqual(6);
  });

  it("waits for those under way at its end, each to its limit, and counts them by what they were", async () => {
    const clock = new VirtualClock();
    let asked = 0;
    const ask = (): Promise<boolean> =>
      asked++ === 0
        ? new Promise((resolve) => clock.setTimer(300, () => resolve(true)))
        : new Promise(() => {});
    const sampler = startSampler({ ask, clock, intervalMs: 100, timeoutMs: 500 });
    await clock.advance(150);
    const stopped = sampler.stop();
    await clock.advance(1000);
    await stopped;
    expect(sampler.samples.map(({ outcome }) => outcome)).toEqual(["ok", "failed"]);
    expect(clock.timersPending).toBe(0);
  });

  it("does not know of those that its end cut off, and counts them so", async () => {
    const clock = new VirtualClock();
    const ask = (signal: AbortSignal) =>
      new Promise<boolean>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    const sampler = startSampler({ ask, clock, intervalMs: 100, timeoutMs: 500 });
    await clock.advance(150);
    await sampler.stop({ cut: true });
    expect(sampler.samples.map(({ outcome }) => outcome)).toEqual(["unknown", "unknown"]);
    expect(sampler.samples[0]?.problem).toBe("the sampling has ended");
  });

  it("counts a request that throws at once as one that could not be asked", async () => {
    const clock = new VirtualClock();
    const ask = (): Promise<boolean> => {
      throw new Error("no address");
    };
    const sampler = startSampler({ ask, clock, intervalMs: 100 });
    await clock.advance(150);
    await sampler.stop();
    expect(sampler.samples).toMatchObject([
      { outcome: "unknown", problem: "no address" },
      { outcome: "unknown", problem: "no address" },
    ]);
  });

  it("ends by itself after the most samples allowed", async () => {
    const clock = new VirtualClock();
    const sampler = startSampler({ ask: async () => true, clock, intervalMs: 1, samplesMax: 7 });
    await clock.advance(1000);
    expect(sampler.samples).toHaveLength(7);
    await sampler.stop();
  });
});
