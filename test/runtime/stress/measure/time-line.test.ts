import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TimeLine, type TimePoint } from "../../../../src/runtime/stress/measure/time-line.ts";

const point = (atMs: number): TimePoint => ({ atMs, busyMs: 2, iterations: 3, reading: null });

describe("the line of a run over time", () => {
  it("never has more points than it may, and loses no work", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 500 }),
        fc.integer({ min: 2, max: 40 }),
        (count, max) => {
          const line = new TimeLine(max);
          for (let at = 0; at < count; at++) line.add(point(at));
          const points = line.points();
          expect(points.length).toBeLessThanOrEqual(max);
          expect(points.reduce((sum, { iterations }) => sum + iterations, 0)).toBe(3 * count);
          expect(points.reduce((sum, { busyMs }) => sum + busyMs, 0)).toBe(2 * count);
          const times = points.map(({ atMs }) => atMs);
          expect(times).toEqual(times.toSorted((a, b) => a - b));
        },
      ),
    );
  });

  it("keeps the points as they are while they fit", () => {
    const line = new TimeLine(4);
    for (const at of [1, 2, 3]) line.add(point(at));
    expect(line.points()).toEqual([point(1), point(2), point(3)]);
  });

  it("keeps the last thing that was read where points become one", () => {
    const reading = (temperatureC: number) =>
      ({ temperatureC, throttle: [] }) as unknown as NonNullable<TimePoint["reading"]>;
    const line = new TimeLine(2);
    line.add({ ...point(0), reading: reading(50) });
    line.add(point(1));
    expect(line.points().map((one) => one.reading?.temperatureC)).toEqual([50]);
  });
});
