import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeLabels } from "../../../web/src/ui/plot-labels.ts";
import { pointLook, tonesOf } from "../../../web/src/ui/plot-points.ts";
import { standingOrder } from "../../../web/src/ui/tone.ts";

const room = { top: 10, bottom: 210, height: 14 };
const lines = fc.array(fc.double({ min: -50, max: 300, noNaN: true }), { maxLength: 14 });

describe("words beside the lines of a plot", () => {
  it("never stand over one another, and stay inside and in the order of their lines", () => {
    fc.assert(
      fc.property(lines, (at) => {
        const places = placeLabels(at, room);
        const order = at.map((_, index) => index).toSorted((a, b) => (at[a] ?? 0) - (at[b] ?? 0));
        const sorted = order.map((index) => places[index] ?? 0);
        for (const [index, place] of sorted.entries()) {
          expect(place).toBeGreaterThanOrEqual(room.top + 7 - 1e-6);
          expect(place).toBeLessThanOrEqual(room.bottom - 7 + 1e-6);
          const before = sorted[index - 1];
          if (before !== undefined) expect(place - before).toBeGreaterThanOrEqual(14 - 1e-6);
        }
      }),
    );
  });

  it("stand at their lines where these are apart", () => {
    expect(placeLabels([40, 100, 70], room)).toEqual([40, 100, 70]);
  });

  it("come closer, and stay inside, when there are more than fit", () => {
    const places = placeLabels(new Array<number>(40).fill(100), room);
    expect(Math.min(...places)).toBeGreaterThanOrEqual(10);
    expect(Math.max(...places)).toBeLessThanOrEqual(210);
  });
});

describe("the points of runs", () => {
  it("have a shape and a sign for each verdict", () => {
    const looks = standingOrder.map((standing) => pointLook(standing));
    expect(new Set(looks.map(({ shape }) => shape)).size).toBe(standingOrder.length);
    expect(new Set(looks.map(({ sign }) => sign)).size).toBe(standingOrder.length);
  });

  it("are explained once each, and those without a verdict as not judged", () => {
    expect(tonesOf(["pass", "fail", "pass", undefined])).toEqual(["pass", "fail", "untested"]);
    expect(pointLook("untested").word).toBe("not judged");
    expect(tonesOf([])).toEqual([]);
  });
});
