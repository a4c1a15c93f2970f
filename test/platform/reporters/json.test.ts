import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Report, renderJson } from "../../../src/platform/reporters/index.ts";
import { anyReport, sample } from "./sample.ts";

describe("renderJson", () => {
  it("has the documented shape, with null for what an item does not have", () => {
    const shape = JSON.parse(renderJson(sample)) as Record<string, unknown>;
    expect(Object.keys(shape)).toEqual([
      "format",
      "title",
      "subject",
      "startedAt",
      "durationMs",
      "verdict",
      "counts",
      "notes",
      "sections",
      "plots",
    ]);
    expect(shape).toMatchObject({
      format: "tessera-report/1",
      startedAt: "2026-11-15T09:30:00Z",
      verdict: "fail",
      counts: { pass: 1, warn: 1, suspect: 1, fail: 1, unknown: 1, skipped: 1 },
    });
    const [, gpus] = shape["sections"] as { items: unknown[] }[];
    expect(gpus?.items[3]).toEqual({
      name: "sensor",
      status: "skipped",
      label: "absent",
      reason: "No sensor.",
      hint: null,
      durationMs: null,
      facts: [],
      log: null,
    });
  });

  it("is valid JSON for any report, and never calls an undecided one healthy", () => {
    fc.assert(
      fc.property(anyReport, (report: Report) => {
        const { verdict, counts } = JSON.parse(renderJson(report)) as {
          verdict: string;
          counts: Record<string, number>;
        };
        const undecided = (counts["unknown"] ?? 0) + (counts["suspect"] ?? 0);
        const decided = (counts["pass"] ?? 0) + (counts["warn"] ?? 0);
        if (undecided > 0 || decided === 0) expect(["pass", "warn"]).not.toContain(verdict);
      }),
      { numRuns: 80, seed: 20261115 },
    );
  });
});
