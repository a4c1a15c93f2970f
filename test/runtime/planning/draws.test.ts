import { describe, expect, test } from "vitest";
import { createRng, type RngStream } from "../../../src/platform/rng/index.ts";
import { drawJobs } from "../../../src/runtime/planning/draw-jobs.ts";
import { gamma, logNormal, weibull } from "../../../src/runtime/planning/draws.ts";

const count = 40_000;

function moments(draw: (stream: RngStream) => number): {
  readonly mean: number;
  readonly sd: number;
} {
  const stream = createRng("draws").stream("moments");
  const values = Array.from({ length: count }, () => draw(stream));
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, sd: Math.sqrt(squares / (count - 1)) };
}

describe("draws", () => {
  test.each([0.5, 1, 4.5, 40.5])("a gamma of shape %f has its mean and spread", (shape) => {
    const { mean, sd } = moments((stream) => gamma(stream, shape));
    // Five standard errors of the mean.
    expect(Math.abs(mean - shape)).toBeLessThan(5 * Math.sqrt(shape / count));
    expect(Math.abs(sd / Math.sqrt(shape) - 1)).toBeLessThan(0.05);
  });

  test.each([0.5, 0.8, 1, 2, 5])("waiting times of Weibull shape %f have a mean of 1", (shape) => {
    const { mean, sd } = moments(weibull(shape));
    expect(Math.abs(mean - 1)).toBeLessThan((5 * sd) / Math.sqrt(count));
    // Below a shape of 1 times spread more than their mean, above less.
    if (shape < 1) expect(sd).toBeGreaterThan(1.1);
    if (shape > 1) expect(sd).toBeLessThan(0.9);
  });

  test("a log-normal value spreads as much as it is uncertain, and not at all when it is sure", () => {
    const { mean, sd } = moments((stream) => logNormal(stream, { median: 10, uncertainty: 0.32 }));
    expect(Math.abs(sd / mean - 0.32)).toBeLessThan(0.01);
    expect(moments((stream) => logNormal(stream, { median: 10, uncertainty: 0 }))).toEqual({
      mean: 10,
      sd: 0,
    });
  });
});

describe("jobs that may as well be the one asked about", () => {
  const request = {
    nodes: 100,
    rate: { perNodeDay: 0.004 },
    writeS: 90,
    blockingS: 30,
    restartS: 600,
  };
  const jobs = (timeUncertainty: number) =>
    drawJobs(
      { ...request, timeUncertainty },
      { count: 200, stream: createRng("jobs").stream("jobs") },
    );

  test("write and restart vary by themselves, both parts of a save together", () => {
    const drawn = jobs(0.2);
    for (const { blockingS, writeS } of drawn) expect(writeS / blockingS).toBeCloseTo(3, 9);
    expect(new Set(drawn.map(({ writeS }) => writeS)).size).toBe(200);
    expect(new Set(drawn.map(({ restartS }) => restartS)).size).toBe(200);
    expect(new Set(drawn.map(({ restartS, writeS }) => (restartS / writeS).toFixed(6))).size).toBe(
      200,
    );
  });

  test("sure times stay as they are while the rate varies", () => {
    const drawn = jobs(0);
    expect(new Set(drawn.map(({ restartS }) => restartS))).toEqual(new Set([600]));
    expect(new Set(drawn.map(({ mtbfS }) => mtbfS)).size).toBe(200);
  });
});
