import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareWithBaseline, guardBaseline } from "../../../src/validation/baselines/index.ts";
import type { BaselineFigure } from "../../../src/validation/history/index.ts";
import { baseline, figureAt } from "../judge/records.ts";

const usual: BaselineFigure = {
  higherIsBetter: true,
  unit: "GB/s",
  median: 100,
  sigma: 0.5,
  tail: 99,
  nodes: 16,
  runs: 32,
};
const latency: BaselineFigure = {
  ...usual,
  higherIsBetter: false,
  unit: "ms",
  median: 10,
  sigma: 0.05,
  tail: 11,
};

function of(figures: Readonly<Record<string, BaselineFigure>>) {
  return baseline({ figures });
}

describe("the guard rails of activation", () => {
  it("have nothing against the first baseline, nor one that is as good", () => {
    expect(guardBaseline(of({ speed: usual }), undefined)).toEqual([]);
    const same = of({ speed: { ...usual, median: 98.1 } });
    expect(guardBaseline(same, of({ speed: usual }))).toEqual([]);
  });

  it("refuse a median that is more than 2 % worse, in either direction of better", () => {
    const slower = of({ speed: { ...usual, median: 97 } });
    expect(guardBaseline(slower, of({ speed: usual }))).toMatchObject([
      { figure: "speed", movement: expect.closeTo(0.03, 5) as number },
    ]);
    expect(guardBaseline(slower, of({ speed: usual }))[0]?.reason).toContain(
      "3 % worse than in the one in force (97 GB/s against 100 GB/s), and 2 % is allowed",
    );
    const later = of({ wait: { ...latency, median: 10.5 } });
    expect(guardBaseline(later, of({ wait: latency }))).toMatchObject([{ figure: "wait" }]);
    const sooner = of({ wait: { ...latency, median: 5 } });
    expect(guardBaseline(sooner, of({ wait: latency }))).toEqual([]);
  });

  it("compare across units", () => {
    const inMegabytes = { ...usual, unit: "MB/s", median: 97_000, sigma: 500, tail: 96_000 };
    expect(guardBaseline(of({ speed: inMegabytes }), of({ speed: usual }))).toMatchObject([
      { movement: expect.closeTo(0.03, 5) as number },
    ]);
    const other = { ...usual, unit: "ms" };
    expect(guardBaseline(of({ speed: other }), of({ speed: usual }))[0]?.reason).toContain(
      "measured in another way",
    );
  });

  it.each([
    ["too few nodes", { ...usual, nodes: 7 }, "rests on 7 nodes"],
    ["scatter that exploded", { ...usual, sigma: 5 }, "scatters by 5 %"],
  ] as const)("refuse %s", (_, figure, text) => {
    expect(guardBaseline(of({ speed: figure }), of({ speed: usual }))[0]?.reason).toContain(text);
  });

  it("refuse scatter of a third where none is in force, and a baseline without figures", () => {
    expect(guardBaseline(of({ speed: { ...usual, sigma: 33 } }), undefined)).toHaveLength(1);
    expect(guardBaseline(of({}), undefined)).toMatchObject([{ figure: "*" }]);
  });

  it("refuse a baseline that forgets a figure", () => {
    const both = of({ speed: usual, wait: latency });
    expect(guardBaseline(of({ speed: usual }), both)).toMatchObject([{ figure: "wait" }]);
  });

  it("refuse exactly what is more than 2 % worse", () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 200, noNaN: true }), (median) => {
        const objections = guardBaseline(
          of({ speed: { ...usual, median, sigma: 0 } }),
          of({ speed: usual }),
        );
        expect(objections.length === 0).toBe(median >= 98 - 1e-9);
      }),
    );
  });
});

describe("comparing a run with a baseline", () => {
  const compare = (level: number) =>
    compareWithBaseline({ speed: figureAt(level) }, of({ speed: usual }));

  it("finds nothing in a run that is as usual, or better", () => {
    expect(compare(99)).toEqual([]);
    expect(compare(120)).toEqual([]);
  });

  it("finds a run beyond 3 % off, and far out beyond 6 %", () => {
    expect(compare(95.5)).toMatchObject([{ metric: "speed", isFar: false }]);
    expect(compare(90)).toMatchObject([{ metric: "speed", isFar: true }]);
    expect(compare(90)[0]?.text).toMatch(/^speed is 90(\.\d+)? GB\/s, .* % below the 100 GB\/s of/);
  });

  it("allows more where nodes and runs scatter", () => {
    const wide = of({ speed: { ...usual, sigma: 3, runSigma: 4 } });
    expect(compareWithBaseline({ speed: figureAt(85) }, wide)).toEqual([]);
  });

  it("finds slow samples though the middle is untouched", () => {
    const samples = Array.from({ length: 20 }, (_, at) => (at < 3 ? 60 : 100));
    const found = compareWithBaseline(
      { speed: { samples, higherIsBetter: true, unit: "GB/s" } },
      of({ speed: usual }),
    );
    expect(found).toMatchObject([{ metric: "speed", isFar: false, value: 60 }]);
    expect(found[0]?.text).toContain("the slow samples of speed");
  });

  it("converts units, and passes over what it cannot compare", () => {
    const inMegabytes = { samples: [90_000, 90_000], higherIsBetter: true, unit: "MB/s" };
    expect(compareWithBaseline({ speed: inMegabytes }, of({ speed: usual }))).toHaveLength(1);
    const others = [
      { ...inMegabytes, unit: "apples" },
      { ...inMegabytes, higherIsBetter: false },
      { ...inMegabytes, samples: [] },
    ];
    for (const figure of others) {
      expect(compareWithBaseline({ speed: figure }, of({ speed: usual }))).toEqual([]);
    }
  });
});
