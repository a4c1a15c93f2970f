import { describe, expect, it } from "vitest";
import { textPlotOver } from "../../../src/cli/stress/text-plot.ts";

const plot = (rates: readonly number[]) =>
  textPlotOver(
    rates.map((rate, at) => ({ atMs: 1000 * at, rate })),
    { unit: "TFLOP/s", rows: 4, columns: 8 },
  );

describe("the plot of a run in plain characters", () => {
  it("shows where the rate fell, with the ends of both axes", () => {
    expect(plot([100, 100, 100, 100, 50, 50, 50, 50])).toEqual([
      "      TFLOP/s over time",
      " 101 │••••",
      "     │",
      "     │",
      "49.5 │    ••••",
      "     └────────",
      "      0 ms 7 s",
    ]);
  });

  it("does not blow noise up", () => {
    const lines = plot([100, 100.1, 99.9, 100]);
    const used = lines.filter((line) => line.includes("•"));
    expect(used.length).toBeLessThanOrEqual(2);
  });

  it("draws nothing of one point, nor of points at one time", () => {
    expect(plot([1])).toEqual([]);
    const same = [1, 2].map((rate) => ({ atMs: 5, rate }));
    expect(textPlotOver(same, { unit: "GB/s" })).toEqual([]);
  });
});
