import { describe, expect, test } from "vitest";
import {
  availabilityIntervalS,
  type CheckpointJob,
  dalyIntervalS,
  ettrOf,
  exactIntervalS,
  expectedEttr,
  flatRange,
  jobMtbfS,
  youngIntervalS,
} from "../../../src/runtime/planning/index.ts";

const jobOn = (gpus: number, perThousandNodeDays: number, times: readonly [number, number]) => {
  const [writeS, restartS] = times;
  const mtbfS = jobMtbfS(perThousandNodeDays / 1000, gpus / 8);
  return { mtbfS, blockingS: writeS, writeS, restartS, detectS: 0 } satisfies CheckpointJob;
};

describe("the table of reference/chaos.md 4.1", () => {
  test.each([
    [1024, 3.79, 49.5, [60, 600], 76, 0.971, 0.971],
    [16_384, 3.79, 3.09, [60, 600], 18.6, 0.853, 0.85],
    [16_384, 3.79, 3.09, [5, 180], 5.5, 0.955, 0.955],
    [131_072, 2.3, 0.64, [60, 600], 8.1, 0.607, 0.563],
    [131_072, 6.5, 0.23, [60, 600], 4.6, 0.316, 0.075],
    [131_072, 6.5, 0.23, [5, 180], 1.4, 0.715, 0.685],
  ] as const)(
    "%i GPUs at %f with %f h between failures",
    (gpus, rate, hours, times, minutes, exact, meta) => {
      const job = jobOn(gpus, rate, times);
      expect(Math.abs(job.mtbfS / 3600 - hours)).toBeLessThan(0.03);
      const best = exactIntervalS(job);
      expect(Math.abs(best / 60 / minutes - 1)).toBeLessThan(0.04);
      expect(Math.abs(ettrOf(job, best) - exact)).toBeLessThan(0.003);
      expect(Math.abs(expectedEttr(job, best).ettr - meta)).toBeLessThan(0.003);
    },
  );

  test("the optimum is as flat as it says there", () => {
    const job = jobOn(16_384, 3.79, [60, 600]);
    const best = exactIntervalS(job);
    const around = [0.25, 0.5, 2, 4].map((factor) => ettrOf(job, factor * best));
    for (const [index, expected] of [0.768, 0.832, 0.831, 0.758].entries()) {
      expect(around[index]).toBeCloseTo(expected, 3);
    }
    const { fromS, toS } = flatRange(job, 0.01);
    const enough = 0.99 * ettrOf(job, best);
    expect(ettrOf(job, fromS)).toBeCloseTo(enough, 9);
    expect(ettrOf(job, toS)).toBeCloseTo(enough, 9);
    expect([fromS < best, best < toS]).toEqual([true, true]);
  });

  test("the first-order form says where it does not hold", () => {
    const small = jobOn(1024, 3.79, [60, 600]);
    expect(expectedEttr(small, exactIntervalS(small)).holds).toBe(true);
    const large = jobOn(131_072, 6.5, [60, 600]);
    expect(expectedEttr(large, exactIntervalS(large)).holds).toBe(false);
    const hopeless = expectedEttr({ ...large, restartS: 10 * large.mtbfS }, 60);
    expect(hopeless).toMatchObject({ ettr: 0, holds: false });
  });
});

describe("the closed forms", () => {
  const job = jobOn(16_384, 3.79, [60, 600]);

  test("Young is the root of twice the save and the time between failures", () => {
    expect(youngIntervalS({ ...job, blockingS: 50, writeS: 50, mtbfS: 10_000 })).toBe(1000);
  });

  test("Daly is nearer to the exact one than Young, and gives up where a save takes too long", () => {
    const exact = exactIntervalS(job);
    const daly = Math.abs(dalyIntervalS(job) - exact);
    expect(daly).toBeLessThan(0.01);
    expect(Math.abs(youngIntervalS(job) - exact)).toBeGreaterThan(30);
    expect(dalyIntervalS({ ...job, blockingS: 25_000, writeS: 25_000 })).toBe(job.mtbfS);
  });

  test("the availability form follows its formula, and waits until errors are found", () => {
    const { mtbfS } = job;
    const formula = Math.sqrt(2 * (mtbfS + 600) * 60 + 60 ** 2);
    expect(availabilityIntervalS(job)).toBeCloseTo(formula, 9);
    // The save is part of the time that an error has to be found in.
    expect(availabilityIntervalS({ ...job, detectS: 7200 })).toBe(7140);
  });
});
