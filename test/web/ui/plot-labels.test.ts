import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leadersOf, lineLabels, placeLabels } from "../../../web/src/ui/plot-labels.ts";
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

describe("what stands beside a line of a plot", () => {
  const mark = (label: string, value: number) => ({ label, value, tone: "fail" as const });
  const texts = (given: Parameters<typeof lineLabels>[0]) =>
    lineLabels(given, room.height).map(({ text }) => text);

  it("has the value of the line, so that it can be told from the next one", () => {
    expect(texts([{ mark: mark("floor: fail", 42), y: 100 }])).toEqual(["floor: fail 42"]);
  });

  it("is said once for lines of the same name that touch, with the value of each", () => {
    const [one, other] = [mark("band: fail", 45.78), mark("band: fail", 45.68)];
    const labels = lineLabels(
      [
        { mark: one, y: 30 },
        { mark: other, y: 31 },
      ],
      room.height,
    );
    expect(labels).toEqual([{ text: "band: fail 45.7, 45.8", tone: "fail", lines: [30, 31] }]);
    expect(texts([one, one].map((same) => ({ mark: same, y: 30 })))).toEqual(["band: fail 45.8"]);
    const many = [45.6, 45.7, 45.8].map((value, at) => ({ mark: mark("band", value), y: 30 + at }));
    expect(texts(many)).toEqual(["band 45.6 to 45.8"]);
  });

  it("is said for each of lines that are apart, or of another name or colour", () => {
    const low = { mark: mark("band: fail", 10), y: 200 };
    const high = { mark: mark("band: fail", 90), y: 30 };
    const floor = { mark: mark("floor: fail", 90), y: 30 };
    const warning = { mark: { ...high.mark, tone: "warn" as const }, y: 30 };
    expect(lineLabels([low, high, floor, warning], room.height)).toHaveLength(4);
  });

  it("is led to its line where it had to stand elsewhere, and only there", () => {
    const labels = lineLabels(
      [
        { mark: mark("a", 46), y: 40 },
        { mark: mark("b", 45), y: 42 },
        { mark: mark("c", 20), y: 150 },
      ],
      room.height,
    );
    const wanted = labels.map(({ lines: [y = 0] }) => y - room.height / 2);
    const places = placeLabels(wanted, room);
    expect(leadersOf(labels, places, room.height)).toEqual([
      { label: 1, fromY: places[1], toY: 42 },
    ]);
  });

  it("has no leader that crosses another one", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 300 }), { maxLength: 14 }), (at) => {
        const labels = at.map((y) => ({ text: "", tone: "fail" as const, lines: [y] }));
        const places = placeLabels(
          at.map((y) => y - room.height / 2),
          room,
        );
        const sorted = leadersOf(labels, places, room.height).toSorted((a, b) => a.toY - b.toY);
        for (const [index, { fromY, toY }] of sorted.entries()) {
          const before = sorted[index - 1];
          if (before === undefined || before.toY === toY) continue;
          expect(fromY).toBeGreaterThanOrEqual(before.fromY);
        }
      }),
    );
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
