import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scaleFor } from "../../../src/platform/plots/scale.ts";
import { linearTicks, logTicks } from "../../../src/platform/plots/ticks.ts";

const runs = { numRuns: 300, seed: 20261115 };
const units = ["", "B", "B/s", "ms", "s", "%", "GB/s"];
const kib = 1024;
const minuteMs = 60_000;

describe("linearTicks", () => {
  it("steps by 1, 2 or 5 times a power of ten", () => {
    expect(linearTicks({ min: 0, max: 97, unit: "", wanted: 5 })).toEqual([0, 20, 40, 60, 80, 100]);
    expect(linearTicks({ min: -0.3, max: 0.31, unit: "", wanted: 6 })).toEqual([
      -0.4, -0.2, 0, 0.2, 0.4,
    ]);
  });

  it("steps by binary multiples for bytes", () => {
    const ticks = linearTicks({ min: 0, max: 900 * kib, unit: "B", wanted: 5 });
    expect(ticks.map((tick) => tick / kib)).toEqual([0, 200, 400, 600, 800, 1000]);
  });

  it("steps like a clock for times", () => {
    const ticks = linearTicks({ min: 0, max: 170_000, unit: "ms", wanted: 6 });
    expect(ticks.map((tick) => tick / 1000)).toEqual([0, 30, 60, 90, 120, 150, 180]);
    const days = linearTicks({ min: 0, max: 5, unit: "d", wanted: 5 });
    expect(days).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("does not leave the noise of binary fractions", () => {
    expect(linearTicks({ min: 0.1, max: 0.7, unit: "", wanted: 6 })).toEqual([
      0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7,
    ]);
  });
});

describe("logTicks", () => {
  it("takes powers of ten over many decades and 1-2-5 over few", () => {
    expect(logTicks({ min: 3, max: 40_000, unit: "", wanted: 6 })).toEqual([
      1, 10, 100, 1000, 10_000, 100_000,
    ]);
    expect(logTicks({ min: 9, max: 60, unit: "", wanted: 6 })).toEqual([5, 10, 20, 50, 100]);
  });

  it("takes powers of two for bytes, up to whole kibi-steps", () => {
    expect(logTicks({ min: 5, max: 60, unit: "B", wanted: 6 })).toEqual([4, 8, 16, 32, 64]);
    expect(logTicks({ min: 8, max: 8 * kib ** 3, unit: "B", wanted: 4 })).toEqual([
      1,
      kib,
      kib ** 2,
      kib ** 3,
      kib ** 4,
    ]);
  });

  it("passes from decimal milliseconds to minutes, hours and days", () => {
    expect(logTicks({ min: 1, max: 40 * minuteMs, unit: "ms", wanted: 8 })).toEqual([
      1, 10, 100, 1000, 10_000, 60_000, 600_000, 3_600_000,
    ]);
  });
});

describe("both kinds of ticks", () => {
  const magnitude = fc.double({ min: 1e-90, max: 1e90, noNaN: true });
  const range = fc.tuple(magnitude, magnitude, fc.boolean(), fc.constantFrom(...units));

  it("cover the domain, ascend, and are few", () => {
    fc.assert(
      fc.property(range, ([a, b, negative, unit]) => {
        for (const kind of ["linear", "log"] as const) {
          const values = kind === "linear" && negative ? [-a, b] : [a, b];
          const { ticks, min, max } = scaleFor(values, { kind, unit, ticksWanted: 6 });
          expect(min).toBeLessThanOrEqual(Math.min(...values));
          expect(max).toBeGreaterThanOrEqual(Math.max(...values));
          expect(ticks.length).toBeGreaterThanOrEqual(2);
          expect(ticks.length).toBeLessThanOrEqual(14);
          for (const [index, tick] of ticks.entries()) {
            expect(Number.isFinite(tick.value)).toBe(true);
            if (index > 0) expect(tick.value).toBeGreaterThan(ticks[index - 1]?.value ?? 0);
          }
        }
      }),
      runs,
    );
  });

  it("label different ticks differently, and never with NaN or infinity", () => {
    fc.assert(
      fc.property(range, ([a, b, negative, unit]) => {
        const { ticks } = scaleFor([negative ? -a : a, b], {
          kind: "linear",
          unit,
          ticksWanted: 6,
        });
        const labels = ticks.map((tick) => tick.label);
        expect(labels.join()).not.toMatch(/nan|infinity|undefined/i);
        expect(new Set(labels).size).toBe(labels.length);
      }),
      runs,
    );
  });

  it("give a single value, no value and impossible values a scale to stand on", () => {
    for (const values of [
      [],
      [7],
      [0],
      [5e-324],
      [1e300],
      [null, Number.NaN],
      [-3],
      [1e12, 1e12],
    ]) {
      for (const kind of ["linear", "log"] as const) {
        const scale = scaleFor(values, { kind, unit: "", ticksWanted: 5 });
        expect(scale.max).toBeGreaterThan(scale.min);
        expect(Number.isFinite(scale.position(values[0] ?? 1))).toBe(true);
      }
    }
  });
});
