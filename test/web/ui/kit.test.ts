import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plotWords, yRangeOf } from "../../../web/src/ui/plot-model.ts";
import { sortRows } from "../../../web/src/ui/sort-rows.ts";
import { sparkPath } from "../../../web/src/ui/spark-path.ts";
import { splitCode } from "../../../web/src/ui/split-code.ts";
import { niceTicks } from "../../../web/src/ui/ticks.ts";

describe("sorted rows", () => {
  it("have numbers in names in the order people count", () => {
    expect(sortRows(["n-10", "n-9"], (name) => name, false)).toEqual(["n-9", "n-10"]);
  });

  it("have what is not known last, whichever way they go", () => {
    const rows = [null, 2, 1];
    expect(sortRows(rows, (value) => value, false)).toEqual([1, 2, null]);
    expect(sortRows(rows, (value) => value, true)).toEqual([2, 1, null]);
  });
});

describe("ticks of an axis", () => {
  it("are round", () => {
    expect(niceTicks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  });

  it("lie within the axis, and are few", () => {
    const value = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const room = (to - from) * 1e-6;
        const ticks = niceTicks(from, to, 6);
        expect(ticks.length).toBeLessThanOrEqual(8);
        for (const tick of ticks) {
          expect(tick).toBeGreaterThanOrEqual(from - room);
          expect(tick).toBeLessThanOrEqual(to + room);
        }
      }),
    );
  });

  it("are none where there is no axis", () => {
    expect(niceTicks(1, 1, 5)).toEqual([]);
    expect(niceTicks(0, Number.POSITIVE_INFINITY, 5)).toEqual([]);
  });
});

describe("the range of a plot", () => {
  it("shows values and bounds, and begins at zero when it is near", () => {
    const plot = { series: [{ label: "a", values: [1, null, 9] }] };
    expect(yRangeOf(plot)[0]).toBe(0.36);
    const bounded = { ...plot, marks: [{ value: 20, label: "floor", tone: "fail" as const }] };
    expect(yRangeOf(bounded)[1]).toBeGreaterThan(20);
  });

  it("is some range also without values", () => {
    expect(yRangeOf({ series: [{ label: "a", values: [null] }] })).toEqual([0, 1]);
  });

  it("is told in words, also where nothing is known", () => {
    const series = [
      { label: "a", values: [1, 3, 2] },
      { label: "b", values: [null, null, null] },
    ];
    const plot = { title: "T", unit: "ms", x: [0, 1, 2], series, xKind: "seconds" as const };
    expect(plotWords(plot, String)).toBe("T. a: 1 to 3, last 2 ms; b: no values.");
  });
});

describe("small curves", () => {
  it("lift the pen over gaps", () => {
    const path = sparkPath({ values: [1, 2, null, 3], width: 100, height: 20 });
    expect(path.match(/M/g)).toHaveLength(2);
  });

  it("are empty without values", () => {
    expect(sparkPath({ values: [null, null], width: 100, height: 20 })).toBe("");
  });
});

describe("words with code in them", () => {
  it("are parted at backticks", () => {
    expect(splitCode("Set `A` now")).toEqual([
      { isCode: false, part: "Set " },
      { isCode: true, part: "A" },
      { isCode: false, part: " now" },
    ]);
  });

  it("keep a backtick that has no partner", () => {
    expect(splitCode("a ` b")).toEqual([{ isCode: false, part: "a ` b" }]);
  });
});
