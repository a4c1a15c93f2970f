import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import {
  createTelemetrySampler,
  type GpuReading,
  type ThrottleReason,
} from "../../../../src/runtime/cuda/telemetry/index.ts";

const gpu = { uuid: "GPU-1" };

function reading(atMs: number, values: Partial<GpuReading> = {}): GpuReading {
  return {
    atMs,
    smClockMhz: 1980,
    memoryClockMhz: null,
    powerW: 400,
    temperatureC: 50,
    memoryTemperatureC: null,
    utilizationPercent: 100,
    memoryUsedBytes: 1,
    throttle: [],
    ...values,
  };
}

/** A GPU whose nth reading, from 0, is what `nth` says. */
function gpuThat(clock: VirtualClock, nth: (count: number) => Partial<GpuReading>) {
  let count = 0;
  return { read: () => reading(clock.nowMs(), nth(count++)) };
}

describe("a telemetry sampler", () => {
  it("reads at once, at intervals and at the end, and gives the spread", async () => {
    const clock = new VirtualClock();
    const telemetry = gpuThat(clock, (count) => ({ temperatureC: 50 + count }));
    const sampler = createTelemetrySampler({ telemetry, gpu, clock, everyMs: 100 });
    expect(sampler.latest?.temperatureC).toBe(50);
    await clock.advance(350);
    expect(sampler.latest?.temperatureC).toBe(53);
    const summary = sampler.stop();
    expect(summary).toMatchObject({ readings: 5, durationMs: 350, problem: null });
    expect(summary.spreads.temperatureC).toEqual({ min: 50, median: 52, max: 54 });
    expect(clock.timersPending).toBe(0);
  });

  it("what was never told has no spread", () => {
    const clock = new VirtualClock();
    const sampler = createTelemetrySampler({ telemetry: gpuThat(clock, () => ({})), gpu, clock });
    expect(sampler.stop().spreads).toMatchObject({
      memoryTemperatureC: null,
      powerW: { min: 400, median: 400, max: 400 },
    });
  });

  it("adds up how long each reason held, and idleness slows nobody", async () => {
    const clock = new VirtualClock();
    const reasons: readonly ThrottleReason[][] = [
      ["gpu-idle"],
      ["sw-power-cap"],
      ["sw-power-cap", "hw-thermal"],
      [],
    ];
    const telemetry = gpuThat(clock, (count) => ({ throttle: reasons[count] ?? [] }));
    const sampler = createTelemetrySampler({ telemetry, gpu, clock, everyMs: 10 });
    await clock.advance(40);
    expect(sampler.stop()).toMatchObject({
      throttleMs: { "gpu-idle": 10, "sw-power-cap": 20, "hw-thermal": 10 },
      slowedMs: 20,
    });
  });

  it("reads when asked, for work that holds the thread", () => {
    const clock = new VirtualClock();
    const telemetry = gpuThat(clock, (count) => ({ powerW: 100 * count }));
    const sampler = createTelemetrySampler({ telemetry, gpu, clock });
    expect(sampler.sample()?.powerW).toBe(100);
    expect(sampler.stop().spreads.powerW).toEqual({ min: 0, median: 100, max: 200 });
    expect(sampler.sample()).toBeUndefined();
  });

  it("ends with the reason when the GPU cannot be read, and the work goes on", async () => {
    const clock = new VirtualClock();
    let reads = 0;
    const telemetry = {
      read: () => {
        if (++reads === 3) throw new Error("the GPU is lost");
        return reading(clock.nowMs());
      },
    };
    const sampler = createTelemetrySampler({ telemetry, gpu, clock, everyMs: 10 });
    await clock.advance(100);
    expect(reads).toBe(3);
    expect(sampler.stop()).toMatchObject({ readings: 2, problem: "the GPU is lost" });
  });

  it("keeps a bounded number of readings, spread over the whole time", async () => {
    const clock = new VirtualClock();
    const telemetry = gpuThat(clock, (count) => ({ temperatureC: count }));
    const sampler = createTelemetrySampler({ telemetry, gpu, clock, everyMs: 1, keptMax: 16 });
    await clock.advance(1000);
    const summary = sampler.stop();
    expect(sampler.readings.length).toBeLessThan(16);
    expect(summary.readings).toBe(1002);
    expect(summary.spreads.temperatureC?.min).toBe(0);
    expect(summary.spreads.temperatureC?.median).toBeGreaterThan(350);
    expect(summary.spreads.temperatureC?.median).toBeLessThan(650);
  });

  it("stops once", () => {
    const clock = new VirtualClock();
    const sampler = createTelemetrySampler({ telemetry: gpuThat(clock, () => ({})), gpu, clock });
    const first = sampler.stop();
    sampler[Symbol.dispose]();
    expect(sampler.stop()).toBe(first);
  });
});
