import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CollectiveCurve } from "../../../src/control/api/studies.ts";
import {
  algorithmChanges,
  choiceText,
  comparedMax,
  decades,
  onOneAxis,
  parseChoice,
  parseCompared,
} from "../../../web/src/pages/collectives/compared-curves.ts";
import { causeWords, lostTime, pointAtKnee } from "../../../web/src/pages/scaling/lost-time.ts";

function curve(points: readonly (readonly [number, string])[]): CollectiveCurve {
  return {
    op: "all_reduce",
    topology: "nvl72",
    devices: 72,
    provenance: "modelled",
    points: points.map(([bytes, algorithm]) => ({
      bytes,
      algorithm,
      timeUs: bytes / 10,
      algbwGBps: 1,
      busbwGBps: bytes,
    })),
    notes: [],
    command: "",
  };
}

const word = fc.stringMatching(/^[a-z][a-z0-9_-]{0,12}$/);
const choice = fc.record({
  op: word,
  topology: word,
  devices: fc.integer({ min: 2, max: 1_000_000 }),
  algorithm: word,
});

describe("a curve in the address", () => {
  it("comes back as it was", () => {
    fc.assert(
      fc.property(choice, (one) => {
        expect(parseChoice(choiceText(one))).toEqual(one);
      }),
    );
  });

  it("is none when somebody typed something else", () => {
    for (const text of ["", "all_reduce", "a~b~1~c", "a~b~x~c", "a~b~8~c~d"]) {
      expect(parseChoice(text)).toBeUndefined();
    }
  });

  it("leaves room for the one being chosen, each only once", () => {
    const all = ["a~b~8~c", "a~b~8~c", "a~b~9~c", "a~b~10~c", "a~b~11~c"].join(",");
    const found = parseCompared(all).map(({ devices }) => devices);
    expect(found).toEqual([8, 9, 10]);
    expect(found).toHaveLength(comparedMax - 1);
    expect(parseCompared(undefined)).toEqual([]);
  });
});

describe("changes of the algorithm", () => {
  it("are the sizes from which another one is used", () => {
    const { points } = curve([
      [1024, "tree"],
      [2048, "tree"],
      [4096, "ring"],
    ]);
    expect(algorithmChanges(points)).toEqual([{ bytes: 4096, from: "tree", to: "ring" }]);
  });

  it("are none where one is used throughout", () => {
    expect(
      algorithmChanges(
        curve([
          [1, "ring"],
          [2, "ring"],
        ]).points,
      ),
    ).toEqual([]);
  });
});

describe("curves on one axis", () => {
  it("have a gap where a curve has no such size", () => {
    const axis = onOneAxis(
      [
        curve([
          [1, "a"],
          [4, "a"],
        ]),
        curve([[2, "a"]]),
      ],
      (p) => p.busbwGBps,
    );
    expect(axis).toEqual({
      x: [1, 2, 4],
      series: [
        [1, null, 4],
        [null, 2, null],
      ],
    });
  });

  it("are empty when there is no curve", () => {
    expect(onOneAxis([], (point) => point.timeUs)).toEqual({ x: [], series: [] });
  });
});

describe("a logarithmic axis", () => {
  it("begins and ends at powers of ten around all values", () => {
    expect(
      decades([
        [12, 340],
        [null, 9_000],
      ]),
    ).toEqual([10, 10_000]);
    expect(decades([[10, 10]])).toEqual([10, 100]);
  });

  it("has a place to begin also when nothing is known", () => {
    expect(decades([[null]])).toEqual([1, 10]);
    expect(decades([])).toEqual([1, 10]);
  });
});

describe("lost time", () => {
  const usual = { speedup: 1, efficiency: 1, tokensPerSecond: 1 };

  it("adds up with what was useful to a whole step", () => {
    const seconds = fc.double({ min: 0, max: 10, noNaN: true });
    fc.assert(
      fc.property(seconds, fc.dictionary(word, seconds, { maxKeys: 5 }), (timeS, causesS) => {
        const { rows } = lostTime([{ ...usual, devices: 8, timeS, causesS }]);
        const sum = rows[0]?.parts.reduce((so, { share }) => so + share, rows[0].useful) ?? 0;
        if (timeS > 0) expect(sum).toBeCloseTo(1, 6);
        expect(rows[0]?.useful ?? -1).toBeGreaterThanOrEqual(-1e-9);
      }),
    );
  });

  it("names the dearest cause first and none that costs nothing", () => {
    const causesS = { bubble: 0.1, network: 0.3, nothing: 0 };
    const { causes } = lostTime([{ ...usual, devices: 8, timeS: 1, causesS }]);
    expect(causes).toEqual(["network", "bubble"]);
  });

  it("has words for people", () => {
    expect(causeWords("pipelineBubble")).toBe("pipeline bubble");
    expect(causeWords("data_wait")).toBe("data wait");
  });

  it("finds the point at the knee, and none without one", () => {
    const points = [8, 16, 32].map((devices) => ({ ...usual, devices, timeS: 1, causesS: {} }));
    expect(pointAtKnee(points, 20)).toMatchObject({ devices: 16 });
    expect(pointAtKnee(points, null)).toBeUndefined();
  });
});
