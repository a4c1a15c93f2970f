import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { modelCollective } from "../../../../src/runtime/dist/time-model/index.ts";
import { topologyOf } from "../../../../src/runtime/dist/topology/index.ts";
import { anyBytes, anyDevices, anyOp, anyTopology, kiB } from "./support.ts";

const query = fc.record({
  op: anyOp,
  devices: anyDevices,
  bytes: anyBytes,
  topology: anyTopology,
  concurrentGroups: fc.integer({ min: 1, max: 32 }),
});
const runs = { numRuns: 600 };

describe("whatever is modelled", () => {
  test("more bytes never take less time", () => {
    fc.assert(
      fc.property(query, anyBytes, (given, more) => {
        const [small, large] = [given.bytes, more].toSorted((a, b) => a - b);
        const timeOf = (bytes = 0) => modelCollective({ ...given, bytes }).timeUs;
        expect(timeOf(large)).toBeGreaterThanOrEqual(timeOf(small) * (1 - 1e-12));
      }),
      { numRuns: 2000 },
    );
  });

  test("a little more never takes less time, also where the library changes its protocol", () => {
    const sizes = Array.from({ length: 641 }, (_, index) => 2 ** (index / 16));
    for (const devices of [2, 4, 5, 8, 16, 18, 32, 33, 36, 64, 72]) {
      for (const op of ["all-reduce", "all-gather", "reduce-scatter", "all-to-all"] as const) {
        const topology = topologyOf("nvl72");
        const times = sizes.map(
          (bytes) => modelCollective({ op, devices, bytes, topology }).timeUs,
        );
        expect(times).toEqual(times.toSorted((a, b) => a - b));
      }
    }
  });

  test("nothing is faster than the wire", () => {
    fc.assert(
      fc.property(query, (given) => {
        const { timeUs, wireLimitUs, linkPercent } = modelCollective(given);
        expect(timeUs).toBeGreaterThanOrEqual(wireLimitUs);
        expect(linkPercent).toBeLessThanOrEqual(200.001);
      }),
      runs,
    );
  });

  test("every number is finite and not negative, and a time is above zero", () => {
    fc.assert(
      fc.property(query, (given) => {
        const estimate = modelCollective(given);
        expect(estimate.timeUs).toBeGreaterThan(1);
        expect(estimate.timeUs).toBeLessThan(1e10);
        for (const value of Object.values(estimate)) {
          if (typeof value === "number") expect(value).toBeGreaterThanOrEqual(0);
          if (typeof value === "number") expect(value).toBeLessThan(1e12);
        }
      }),
      runs,
    );
  });

  test("bus bandwidth is algorithm bandwidth times the factor of nccl-tests", () => {
    fc.assert(
      fc.property(query, (given) => {
        const { algbwGBps, busbwGBps, timeUs } = modelCollective(given);
        const { devices: n, op } = given;
        const share = (n - 1) / n;
        const factors: Partial<Record<typeof op, number>> = {
          "all-reduce": 2 * share,
          "hierarchical-all-reduce": 2 * share,
          "all-gather": share,
          "reduce-scatter": share,
          "all-to-all": share,
          gather: share,
          scatter: share,
        };
        const bytes = op === "barrier" ? 0 : given.bytes;
        expect(algbwGBps).toBeCloseTo(bytes / timeUs / 1e3, 9);
        expect(busbwGBps).toBeCloseTo(algbwGBps * (factors[op] ?? 1), 9);
      }),
      runs,
    );
  });

  test("a link that carries a share of its rate slows the transfer, and never the other way", () => {
    fc.assert(
      fc.property(query, fc.double({ min: 0.01, max: 1, noNaN: true }), (given, share) => {
        const whole = modelCollective(given).timeUs;
        const slowed = modelCollective({ ...given, slowestLinkShare: share }).timeUs;
        expect(slowed).toBeGreaterThanOrEqual(whole * (1 - 1e-12));
        expect(slowed).toBeLessThanOrEqual((whole / share) * (1 + 1e-9));
      }),
      runs,
    );
  });

  test("a larger group is never faster at a small size", () => {
    const atLeast = fc.integer({ min: 5, max: 72 });
    fc.assert(
      fc.property(atLeast, atLeast, anyTopology, (one, other, topology) => {
        const [small, large] = [Math.min(one, other), Math.max(one, other)];
        const timeOf = (devices: number) =>
          modelCollective({ op: "barrier", devices, bytes: kiB, topology }).timeUs;
        expect(timeOf(large)).toBeGreaterThanOrEqual(timeOf(small) * 0.8);
      }),
      runs,
    );
  });
});
