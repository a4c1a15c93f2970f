import { describe, expect, test } from "vitest";
import { type CheckRun, classifyRuns } from "../../../src/validation/classify/index.ts";
import { ofNode, type RunChange, type SmallFleet, smallFleet } from "./fleet.ts";

function verdictsOf(fleet: SmallFleet, node: number): string[] {
  const runs = smallFleet(fleet);
  return ofNode(runs, classifyRuns(runs), node).map(({ verdict }) => verdict);
}

/** A fleet in which only the given run of node 7 differs. */
function oneOdd(turn: number, change: RunChange, rest: SmallFleet = {}): SmallFleet {
  return { ...rest, odd: (node, at) => (node === 7 && at === turn ? change : undefined) };
}

function withFigure(
  change: (figure: { samples: Float64Array; higherIsBetter: boolean; unit?: string }) => object,
): (run: CheckRun) => CheckRun {
  return (run) => ({
    ...run,
    figures: new Map(
      [...run.figures].map(([name, figure]) => [name, { ...figure, ...change(figure) }]),
    ),
  });
}

const broken: readonly (readonly [string, RunChange])[] = [
  ["a run that did not complete", { change: (run) => ({ ...run, completed: false }) }],
  ["no samples", { samples: () => new Float64Array() }],
  ["a sample that is no number", { samples: (own) => own.with(3, Number.NaN) }],
  ["an infinite sample", { samples: (own) => own.with(3, Number.POSITIVE_INFINITY) }],
  ["a zero", { samples: (own) => own.with(3, 0) }],
  ["a negative sample", { samples: (own) => own.with(3, -100) }],
  ["fewer samples than usual", { samples: (own) => own.slice(1) }],
  ["no figures at all", { change: (run) => ({ ...run, figures: new Map() }) }],
  ["a median of more than twice the usual", { factor: 2.1 }],
  ["a median of less than a fiftieth", { factor: 0.019 }],
  ["a unit that cannot be converted", { change: withFigure(() => ({ unit: "ms" })) }],
  ["the opposite direction", { change: withFigure(() => ({ higherIsBetter: false })) }],
];

describe("never pass", () => {
  test.each(broken)("%s", (_what, change) => {
    expect(verdictsOf(oneOdd(1, change), 7)).toEqual(["pass", "unknown", "pass"]);
  });

  test("a figure is missing that the other runs have", () => {
    const runs = smallFleet().map((run): CheckRun => {
      const second = { samples: new Float64Array(4).fill(5), higherIsBetter: false };
      const isOdd = run.node === "n007";
      return isOdd ? run : { ...run, figures: new Map([...run.figures, ["second", second]]) };
    });
    const [first] = ofNode(runs, classifyRuns(runs), 7);
    expect(first).toMatchObject({ verdict: "unknown", findings: [{ rule: "missing-figure" }] });
  });

  test("a latency of more than twice the usual, however wide the band", () => {
    const fleet = {
      higherIsBetter: false,
      odd: (node: number) => ({ factor: 1 + (node % 10) / 8 }),
    };
    const runs = smallFleet(fleet);
    const wide = oneOdd(2, { factor: 3 }, { higherIsBetter: false });
    expect(classifyRuns(runs).every(({ verdict }) => verdict !== "fail")).toBe(true);
    expect(verdictsOf(wide, 7)).toEqual(["pass", "pass", "suspect"]);
  });
});

describe("confirmation", () => {
  test("all healthy runs pass", () => {
    const verdicts = classifyRuns(smallFleet({ turns: 4 }));
    expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(["pass"]));
    expect(verdicts.every(({ findings }) => findings.length === 0)).toBe(true);
  });

  test("a slow run that a later one clears is a warning", () => {
    expect(verdictsOf(oneOdd(1, { factor: 0.85 }), 7)).toEqual(["pass", "warn", "pass"]);
  });

  test("a slow last run is suspect", () => {
    expect(verdictsOf(oneOdd(2, { factor: 0.85 }), 7)).toEqual(["pass", "pass", "suspect"]);
  });

  test("a node that is slow in every run fails", () => {
    const odd = (node: number) => (node === 7 ? { factor: 0.9 } : undefined);
    expect(verdictsOf({ odd }, 7)).toEqual(["fail", "fail", "fail"]);
  });

  test("a node with a single slow run is suspect, without a retest", () => {
    expect(verdictsOf(oneOdd(0, { factor: 0.9 }, { turns: 1 }), 7)).toEqual(["suspect"]);
  });

  test("a node that is slow every other time fails at those times", () => {
    const odd = (node: number, turn: number) =>
      node === 7 && turn % 2 === 0 ? { factor: 0.85 } : undefined;
    const verdicts = verdictsOf({ odd, turns: 8 }, 7);
    expect(verdicts.filter((_, turn) => turn % 2 === 0)).toEqual(["fail", "fail", "fail", "fail"]);
  });

  test("a faster run is at most a warning", () => {
    expect(verdictsOf(oneOdd(2, { factor: 1.2 }), 7)).toEqual(["pass", "pass", "warn"]);
  });

  test("for a latency, slower is higher", () => {
    const lower = { higherIsBetter: false };
    expect(verdictsOf(oneOdd(2, { factor: 1.2 }, lower), 7)[2]).toBe("suspect");
    expect(verdictsOf(oneOdd(2, { factor: 0.8 }, lower), 7)[2]).toBe("warn");
  });
});

describe("the order of runs and of samples", () => {
  test("means nothing", () => {
    const runs = smallFleet({
      odd: (node, turn) => (node === 7 && turn > 0 ? { factor: 0.9 } : {}),
    });
    const straight = classifyRuns(runs).map(({ verdict }) => verdict);
    const turned = runs
      .map(withFigure(({ samples }) => ({ samples: samples.toReversed() })))
      .toReversed();
    const back = classifyRuns(turned).map(({ verdict }) => verdict);
    expect(back.toReversed()).toEqual(straight);
  });
});

describe("units", () => {
  const inUnit = (unit: string, factor: number) => ({
    change: withFigure(({ samples }) => ({
      unit,
      samples: samples.map((value) => value * factor),
    })),
  });

  test.each([
    ["MB/s", 1000],
    ["Gb/s", 8],
    ["Gbit/s", 8],
    ["GiB/s", 1e9 / 2 ** 30],
    ["GBps", 1],
  ])("%s is converted", (unit, factor) => {
    expect(verdictsOf(oneOdd(1, inUnit(unit, factor)), 7)).toEqual(["pass", "pass", "pass"]);
  });

  test("a slow run is slow in any unit", () => {
    expect(verdictsOf(oneOdd(2, inUnit("MB/s", 850)), 7)[2]).toBe("suspect");
  });

  test("an alarm of a run that does not name its unit is not believed", () => {
    const change = withFigure(({ samples, higherIsBetter }) => {
      return { samples: samples.map((value) => value / 8), higherIsBetter, unit: undefined };
    });
    expect(verdictsOf(oneOdd(2, { change }), 7)[2]).toBe("unknown");
  });
});
