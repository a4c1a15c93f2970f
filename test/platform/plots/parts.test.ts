import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binsOf } from "../../../src/platform/plots/bins.ts";
import { columnsOf, stretches } from "../../../src/platform/plots/decimate.ts";
import { spread } from "../../../src/platform/plots/marks.ts";
import { scaleFor } from "../../../src/platform/plots/scale.ts";
import { fitText, textWidth, wrapText } from "../../../src/platform/plots/text-size.ts";

const runs = { seed: 20261115 };

describe("spread", () => {
  it("keeps order, distance and limits", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 12 }), (wanted) => {
        const placed = spread(wanted, { min: 0, max: 200, gap: 16 });
        const gap = Math.min(16, 200 / Math.max(1, wanted.length - 1));
        const order = wanted
          .map((_, index) => index)
          .toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
        for (const [rank, index] of order.entries()) {
          const position = placed[index] ?? Number.NaN;
          expect(position).toBeGreaterThanOrEqual(-1e-9);
          expect(position).toBeLessThanOrEqual(200 + 1e-9);
          const before = placed[order[rank - 1] ?? -1];
          if (before !== undefined) expect(position - before).toBeGreaterThanOrEqual(gap - 1e-9);
        }
      }),
      runs,
    );
  });

  it("leaves positions alone that are far enough apart", () => {
    expect(spread([10, 50, 90], { min: 0, max: 100, gap: 16 })).toEqual([10, 50, 90]);
  });
});

describe("columnsOf", () => {
  it("keeps the smallest and the largest value of everything it merges", () => {
    const values = fc.array(fc.option(fc.integer({ min: -99, max: 99 })), {
      minLength: 1,
      maxLength: 300,
    });
    fc.assert(
      fc.property(values, (ys) => {
        const points = ys.map((y, x) => ({ x, y, low: null, high: null }));
        const { columns } = columnsOf(points, { columnOf: (x) => x / 10, columnsMax: 30 });
        const kept = stretches(columns, (column) => column.points)
          .flat()
          .map(({ y }) => y);
        const all = ys.filter((y) => y !== null);
        expect(kept.length).toBeLessThanOrEqual(all.length);
        if (all.length > 0) {
          expect(Math.min(...kept)).toBe(Math.min(...all));
          expect(Math.max(...kept)).toBe(Math.max(...all));
        }
      }),
      runs,
    );
  });

  it("breaks the line after a column that holds a gap", () => {
    const points = Array.from({ length: 100 }, (_, x) => ({
      x,
      y: x === 55 ? null : 1,
      low: null,
      high: null,
    }));
    const { columns, decimated } = columnsOf(points, { columnOf: (x) => x / 10, columnsMax: 10 });
    expect(decimated).toBe(true);
    expect(stretches(columns, (column) => column.points)).toHaveLength(2);
  });
});

describe("binsOf", () => {
  it("puts every value into exactly one bin, whatever the values and the scale", () => {
    const values = fc.array(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(values, fc.constantFrom("linear" as const, "log" as const), (all, kind) => {
        const scale = scaleFor(all, { kind, unit: "", ticksWanted: 6 });
        const bins = binsOf(all, { scale });
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(all.length);
        expect(bins.length).toBeLessThanOrEqual(125);
        for (const { from, to } of bins) expect(to).toBeGreaterThan(from);
      }),
      runs,
    );
  });
});

describe("fitting text", () => {
  it("never makes a text wider than its room, and keeps what fits", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 60 }),
        fc.integer({ min: 20, max: 300 }),
        (text, widthPx) => {
          const fitted = fitText(text, 12, widthPx);
          expect(textWidth(fitted, 12)).toBeLessThanOrEqual(widthPx);
          if (textWidth(text, 12) <= widthPx) expect(fitted).toBe(text);
          for (const line of wrapText(text, { sizePx: 12, widthPx, linesMax: 3 })) {
            expect(textWidth(line, 12)).toBeLessThanOrEqual(widthPx);
          }
        },
      ),
      runs,
    );
  });

  it("breaks at spaces and cuts what is left over", () => {
    const lines = wrapText("one two three four five six", { sizePx: 12, widthPx: 70, linesMax: 2 });
    expect(lines).toHaveLength(2);
    expect(lines[0]).toBe("one two");
    expect(lines[1]).toMatch(/…$/);
  });
});
