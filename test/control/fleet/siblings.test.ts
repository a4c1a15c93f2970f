import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CohortTable } from "../../../src/control/fleet/cohort-table.ts";
import { type FigureMeaning, SiblingRuns } from "../../../src/control/fleet/sibling-runs.ts";
import { Siblings } from "../../../src/control/fleet/siblings.ts";
import { dotsMax, siblingsView } from "../../../src/control/fleet/siblings-view.ts";
import { openStore } from "../../../src/platform/store/index.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import { openHistory } from "../../../src/validation/history/index.ts";
import type { RunFigure } from "../../../src/validation/run.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { intentOf, resultOf } from "../../validation/history/support/samples.ts";

const busbw: FigureMeaning = { figure: "busbw", unit: "GB/s", higherIsBetter: true };
const noneOwn = { node: "n0", higherIsBetter: true, median: undefined };

function figureOf(value: number, unit = "GB/s", higherIsBetter = true): RunFigure {
  return { samples: [value - 1, value, value + 1], higherIsBetter, unit };
}

/** A table with one run a node, each of one figure. */
function tableOf(given: Readonly<Record<string, RunFigure>>, cohort = "fw-1"): CohortTable {
  const make = new SiblingRuns([]);
  const runs = Object.entries(given).map(([node, figure]) => {
    return [node, make.of({ runId: node, cohort, figures: { busbw: figure } })] as const;
  });
  return new CohortTable(new Map(runs));
}

describe("a figure of a cohort", () => {
  it("is in the unit that is asked for, ascending", () => {
    const table = tableOf({ a: figureOf(47), b: figureOf(46_000, "MB/s"), c: figureOf(45) });
    const { nodes, medians } = table.column("fw-1", busbw);
    expect(nodes).toEqual(["c", "b", "a"]);
    expect([...medians]).toEqual([45, 46, 47]);
  });

  it("leaves out other cohorts and what means something else", () => {
    const table = tableOf({
      a: figureOf(47, "ms"),
      b: figureOf(46, "GB/s", false),
      c: { samples: [], higherIsBetter: true, unit: "GB/s" },
    });
    expect(table.column("fw-1", busbw).nodes).toEqual([]);
    expect(tableOf({ a: figureOf(47) }).column("fw-2", busbw).nodes).toEqual([]);
  });
});

describe("the unit of a figure", () => {
  it("is the one most runs name, for all its GPUs", () => {
    const table = tableOf({ a: figureOf(47), b: figureOf(46_000, "MB/s"), c: figureOf(45) });
    expect(table.unitOf("busbw")).toBe("GB/s");
    expect(table.unitOf("busbw.gpu3")).toBe("GB/s");
  });

  it("is unknown where nobody names one", () => {
    expect(tableOf({ a: figureOf(47, "") }).unitOf("busbw")).toBeUndefined();
    expect(tableOf({}).unitOf("busbw")).toBeUndefined();
  });
});

describe("the place of a node", () => {
  const count = 9000;
  const fleet = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`n${at}`, figureOf(1000 + at)]),
  );
  const column = tableOf(fleet).column("fw-1", busbw);

  it("is among all others, though only some are drawn, and it is drawn itself", () => {
    const own = { node: "n4321", higherIsBetter: true, median: 5321 };
    const { dots, ...place } = siblingsView(column, own);
    const better = count - 1 - 4321;
    expect(place).toEqual({ others: 8999, own: 5321, better, worse: 4321, median: 5500 });
    expect(dots).toHaveLength(dotsMax + 1);
    expect(dots.filter(({ isSelf }) => isSelf)).toEqual([
      { node: "n4321", median: 5321, isSelf: true },
    ]);
    expect([dots[0]?.node, dots.at(-1)?.node]).toEqual(["n0", "n8999"]);
    expect(new Set(dots.map(({ node }) => node)).size).toBe(dots.length);
    const lower = siblingsView(column, { ...own, higherIsBetter: false });
    expect([lower.better, lower.worse]).toEqual([4321, better]);
  });

  it("is by its own newest value, also when the cohort does not have it yet", () => {
    const known = siblingsView(column, { node: "n0", higherIsBetter: true, median: 20_000 });
    expect(known).toMatchObject({ others: 8999, better: 0, worse: 8999 });
    const added = siblingsView(column, { node: "new", higherIsBetter: true, median: 20_000 });
    expect(added).toMatchObject({ others: 9000, better: 0, worse: 9000 });
    expect(added.dots.at(-1)).toEqual({ node: "new", median: 20_000, isSelf: true });
  });

  it("is nowhere without an own value, and nowhere near others where there are none", () => {
    expect(siblingsView(column, noneOwn)).toMatchObject({ others: 8999, own: null, better: 0 });
    expect(siblingsView({ nodes: [], medians: new Float64Array() }, noneOwn)).toEqual({
      others: 0,
      own: null,
      better: 0,
      worse: 0,
      median: null,
      dots: [],
    });
  });
});

describe("the siblings of a fleet", () => {
  it("are all nodes with a fresh completed run, and new runs take the place of old ones", async () => {
    const clock = new VirtualClock();
    const store = await openStore({ url: `sqlite:${join(await tempDir(), "s.db")}`, clock });
    onTestFinished(() => store.close());
    const history = openHistory(store);
    const record = (nodes: number, plannedAtMs: number, value: number) =>
      history.recordRuns(
        Array.from({ length: nodes }, (_, at) => {
          const intent = intentOf({ node: `n${at}`, plannedAtMs });
          const figures = { busbw: figureOf(value + at) };
          return { intent, result: resultOf(intent, { figures, cohort: "fw-1" }), origin: "pod" };
        }),
      );
    const { cluster, check, sku } = intentOf();
    const siblings = new Siblings(store, clock);
    const look = async (fromMs: number) => {
      const table = await siblings.of({ cluster, check, sku, fromMs });
      return table.column("fw-1", busbw);
    };
    await record(700, 1000, 100);
    expect((await look(0)).nodes).toHaveLength(700);
    await record(1, 50_000, 5000);
    await clock.advance(31_000);
    const { nodes, medians } = await look(0);
    expect([nodes.length, nodes.at(-1), medians.at(-1)]).toEqual([700, "n0", 5000]);
    await clock.advance(31_000);
    expect((await look(50_000)).nodes).toEqual(["n0"]);
  });
});
