import { describe, expect, test } from "vitest";
import { ettrPlot } from "../../../src/cli/plan-checkpoint/text-plot.ts";
import { improvements } from "../../../src/cli/plan-checkpoint/what-if.ts";
import { ettrText, percent } from "../../../src/cli/plan-checkpoint/words.ts";

const job = { mtbfS: 10_000, blockingS: 60, writeS: 60, restartS: 600, detectS: 0 };

describe("what would help", () => {
  test("names what is worth most first, and nothing that costs nothing", () => {
    const found = improvements(job);
    expect(found.map(({ change }) => change)).toEqual([
      "half as many failures",
      "saves twice as fast",
      "restarts twice as fast",
    ]);
    const slow = improvements({ ...job, restartS: 60, detectS: 3000 });
    expect(slow.map(({ change }) => change)).toContain("detection twice as fast");
    const ettrs = slow.map(({ ettr }) => ettr);
    expect(ettrs).toEqual(ettrs.toSorted((a, b) => b - a));
  });
});

describe("the plot in characters", () => {
  const curve = [1, 2, 4, 8, 16].map((computeS) => {
    const ettr = 0.9 - 0.1 * Math.abs(Math.log2(computeS / 4));
    return { computeS, ettr, band: { low: ettr - 0.05, high: ettr + 0.05 } };
  });

  test("has its top at the best, its band around it and a mark at the recommended interval", () => {
    const lines = ettrPlot(curve, 4);
    expect(lines[0]).toMatch(/^0\.95 │ +░+/);
    const axis = lines.at(-2) ?? "";
    expect(axis.indexOf("┴") - axis.indexOf("└")).toBe(31);
    expect(lines.at(-1)).toMatch(/^ {6}1 s +16 s$/);
    expect(lines.every((line) => line.length <= 66)).toBe(true);
    // One point of the curve in each column.
    expect(lines.join("").match(/•/g)).toHaveLength(60);
  });

  test("is left out where there is no curve", () => {
    expect(ettrPlot(curve.slice(0, 1), 4)).toEqual([]);
    expect(ettrPlot([], 4)).toEqual([]);
  });
});

test("small shares keep a digit, none is none", () => {
  expect([percent(0.1234), percent(0.0004), percent(0)]).toEqual(["12.3 %", "0.04 %", "0.0 %"]);
});

test("an ETTR below one is never shown as one", () => {
  expect([0.8525, 0.9994, 0.9999, 0.99999951, 1 - 1e-12, 1].map(ettrText)).toEqual([
    "0.853",
    "0.999",
    "0.9999",
    "0.9999995",
    "above 0.999",
    "1.000",
  ]);
});
