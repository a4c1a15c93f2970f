import { describe, expect, test } from "vitest";
import {
  type CheckRun,
  classifyRuns,
  type FigureSamples,
  lintFloors,
  skuFloors,
} from "../../../src/validation/classify/index.ts";
import { ofNode, type RunChange, type SmallFleet, smallFleet } from "./fleet.ts";

function resultsOf(fleet: SmallFleet, node: number) {
  const runs = smallFleet(fleet);
  return ofNode(runs, classifyRuns(runs), node);
}

const onNode7 = (change: RunChange, from = 0) => ({
  odd: (node: number, turn: number) => (node === 7 && turn >= from ? change : undefined),
});

describe("slow samples", () => {
  const slower = (count: number) => ({
    samples: (own: Float64Array) => own.map((value, at) => (at < count ? value * 0.7 : value)),
  });

  test("a share of slow iterations fails though the median is untouched", () => {
    const found = resultsOf({ ...onNode7(slower(4)), count: 40 }, 7);
    expect(found.map(({ verdict }) => verdict)).toEqual(["fail", "fail", "fail"]);
    expect(found[0]?.findings[0]).toMatchObject({ metric: "throughput", rule: "tail" });
  });

  test("one slow iteration is no defect", () => {
    const found = resultsOf({ ...onNode7(slower(1), 2), count: 40 }, 7);
    expect(found.map(({ verdict }) => verdict)).toEqual(["pass", "pass", "pass"]);
  });

  test("one slow GPU among eight samples is", () => {
    const found = resultsOf({ ...onNode7(slower(1)), count: 8 }, 7);
    expect(found.map(({ verdict }) => verdict)).toEqual(["fail", "fail", "fail"]);
  });

  test("a slow GPU by its name is found among its siblings", () => {
    const runs = smallFleet({ turns: 2 }).map((run): CheckRun => {
      const [figure] = run.figures.values();
      const gpus = Array.from({ length: 8 }, (_, gpu): [string, FigureSamples] => {
        const slow = run.node === "n007" && gpu === 3 ? 0.92 : 1;
        const samples = (figure?.samples ?? new Float64Array()).slice(gpu, gpu + 2);
        return [
          `busbw.gpu${gpu}`,
          { samples: samples.map((value) => value * slow), higherIsBetter: true },
        ];
      });
      return { ...run, figures: new Map(gpus) };
    });
    const found = ofNode(runs, classifyRuns(runs), 7);
    expect(found.map(({ verdict }) => verdict)).toEqual(["fail", "fail"]);
    expect(found[0]?.findings.map(({ metric }) => metric)).toContain("busbw.gpu3");
  });
});

describe("history", () => {
  test("slow decay is found against the node's own past, while it is still within the cohort", () => {
    const fleet: SmallFleet = {
      turns: 12,
      odd: (node, turn) => ({
        factor: (1 + 0.01 * (node % 8)) * (node === 7 ? 1 - 0.004 * turn : 1),
      }),
    };
    const found = resultsOf(fleet, 7);
    expect(found.at(-1)).toMatchObject({ verdict: "fail", findings: [{ rule: "history" }] });
    expect(found[0]?.verdict).toBe("pass");
    expect(resultsOf(fleet, 15).every(({ verdict }) => verdict === "pass")).toBe(true);
  });
});

describe("populations", () => {
  test("two groups of healthy nodes each get their band", () => {
    const odd = (node: number) => (node % 3 === 0 ? { factor: 0.94 } : undefined);
    const verdicts = classifyRuns(smallFleet({ nodes: 60, odd }));
    expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(["pass"]));
  });

  test("a few slow nodes are not a population", () => {
    const odd = (node: number) => (node % 20 === 7 ? { factor: 0.94 } : undefined);
    const found = resultsOf({ nodes: 60, odd }, 27);
    expect(found.map(({ verdict }) => verdict)).toEqual(["fail", "fail", "fail"]);
  });
});

describe("cohorts", () => {
  const named = (cohortOf: (node: number) => string | undefined, fleet: SmallFleet) =>
    smallFleet(fleet).map((run): CheckRun => {
      const cohort = cohortOf(Number(run.node.slice(1)));
      return cohort === undefined ? run : { ...run, cohort };
    });

  test("a run is compared with its own cohort only", () => {
    const odd = (node: number) => (node % 2 === 0 ? { factor: 0.8 } : undefined);
    const runs = named((node) => `image-${node % 2}`, { odd, nodes: 24 });
    const verdicts = classifyRuns(runs);
    expect(verdicts.every(({ verdict }) => verdict === "pass")).toBe(true);
    expect(verdicts[0]?.reason).toContain("image-0, 12 nodes");
  });

  test("a cohort of fewer than 8 nodes is compared with its SKU", () => {
    const runs = named((node) => (node < 5 ? "rare" : "image"), { nodes: 30 });
    expect(classifyRuns(runs)[0]?.reason).toContain("throughput-test, 30 nodes");
  });

  test("fewer than 8 nodes of a SKU without a floor are unknown", () => {
    const verdicts = classifyRuns(smallFleet({ nodes: 7 }));
    expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(["unknown"]));
    expect(verdicts[0]?.findings[0]?.rule).toBe("no-reference");
  });
});

describe("floors", () => {
  const loopback = (level: number, nodes: number): SmallFleet => ({
    sku: "h100-sxm5-80gb",
    check: "nccl-loopback",
    figure: "busbw",
    level,
    nodes,
    turns: 1,
  });

  test.each([
    [46.4, "pass"],
    [44, "warn"],
    [41, "fail"],
    [400, "unknown"],
  ])("a lone node at %d GB/s is a %s", (level, verdict) => {
    expect(classifyRuns(smallFleet(loopback(level, 1)))[0]?.verdict).toBe(verdict);
  });

  test.each([
    [20, "pass"],
    [4000, "pass"],
    [0.8, "warn"],
    [0.4, "fail"],
  ])("any host at %d GB/s is a %s: no hardware, so no ceiling", (level, verdict) => {
    const host = { sku: "host", check: "host-compute", figure: "memory_gbps" };
    expect(classifyRuns(smallFleet({ ...loopback(level, 1), ...host }))[0]?.verdict).toBe(verdict);
  });

  test("the table that ships is sound", () => {
    expect(lintFloors(skuFloors)).toEqual([]);
  });

  test.each([
    [{ fail: 45, warn: 42 }, /warns only where it already fails/],
    [{ warn: 55 }, /not even the hardware's best/],
    [{ fail: 4 }, /far from what the hardware can do/],
    [{ fail: Number.NaN }, /not a positive number/],
    [{ source: "" }, /source/],
    [{ date: "yesterday" }, /date/],
    [{ unit: "furlongs" }, /unit/],
  ])("the lint finds %j", (change, problem) => {
    const [first] = skuFloors;
    if (first === undefined) throw new Error("there are floors");
    expect(lintFloors([{ ...first, ...change }]).join()).toMatch(problem);
  });

  test("a hard fact needs no figures", () => {
    const [run] = smallFleet(loopback(46, 1));
    if (run === undefined) throw new Error("there is a run");
    const [found] = classifyRuns([{ ...run, completed: false, hardFacts: ["a sum was wrong"] }]);
    expect(found).toMatchObject({ verdict: "fail", reason: "a sum was wrong." });
  });
});

describe("incidents", () => {
  test("most runs of an hour: nobody fails, and the reason says what they share", () => {
    const odd = (_: number, turn: number) => (turn === 1 ? { factor: 0.7 } : undefined);
    const hour = smallFleet({ nodes: 30, turns: 4, odd }).map((run, at): CheckRun => {
      return { ...run, timestampMs: Date.UTC(2026, 5, 1 + (at % 4)) + (at * 60_000) / 4 };
    });
    const found = classifyRuns(hour).filter((_, at) => at % 4 === 1);
    expect(new Set(found.map(({ verdict }) => verdict))).toEqual(new Set(["warn"]));
    expect(found[0]?.reason).toMatch(/30 of 30 runs of throughput-test from 2026-06-02T00:00Z/);
    expect(found[0]?.findings[0]?.rule).toBe("incident");
  });

  test("a whole cohort below the floor is one incident, and suspect", () => {
    const runs = smallFleet({
      sku: "h200-sxm5-141gb",
      check: "nccl-loopback",
      figure: "busbw",
      level: 38,
      turns: 1,
    });
    const verdicts = classifyRuns(runs);
    expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(["suspect"]));
    expect(verdicts[0]?.reason).toContain("one incident");
  });

  test("a few bad nodes on one day are not an incident", () => {
    const odd = (node: number) => (node < 3 ? { factor: 0.8 } : undefined);
    const found = resultsOf({ nodes: 30, turns: 2, odd }, 1);
    expect(found.map(({ verdict }) => verdict)).toEqual(["fail", "fail"]);
  });
});

describe("all figures together", () => {
  // A node that is fast here is slow there, so the mean of both hardly scatters; a third of the
  // nodes is of another kind, too little apart to be seen in either figure.
  const twoKinds = (lowNode?: string) =>
    smallFleet({ nodes: 60, turns: 2 }).map((run): CheckRun => {
      const node = Number(run.node.slice(1));
      const own = ((node * 37) % 60) / 60 - 0.5;
      const kind = node % 3 === 0 ? -0.04 : 0;
      const loss = run.node === lowNode ? -0.04 : 0;
      const figure = (sign: number): FigureSamples => ({
        samples: (run.figures.get("throughput")?.samples ?? new Float64Array()).map(
          (value) => value * (1 + 0.12 * sign * own + kind + loss),
        ),
        higherIsBetter: true,
      });
      return {
        ...run,
        figures: new Map([
          ["left", figure(1)],
          ["right", figure(-1)],
        ]),
      };
    });

  test("blame no node of a second kind that only their mean shows", () => {
    const found = classifyRuns(twoKinds()).filter(({ verdict }) => verdict !== "pass");
    expect(found).toEqual([]);
  });

  test("find a node below the second kind that neither figure shows", () => {
    const runs = twoKinds("n009");
    const found = ofNode(runs, classifyRuns(runs), 9);
    expect(found.map(({ verdict }) => verdict)).toEqual(["fail", "fail"]);
    expect(found[0]?.findings.map(({ metric }) => metric)).toContain("*");
  });
});

describe("two kinds of nodes in several figures", () => {
  // Of 40 nodes every fourth is 10 % slower in both figures, which nobody said.
  const twoFigures = (loss: (node: number, figure: string) => number) =>
    smallFleet({ nodes: 40, turns: 2 }).map((run): CheckRun => {
      const node = Number(run.node.slice(1));
      const kind = node % 4 === 0 ? 0.9 : 1;
      const own = run.figures.get("throughput")?.samples ?? new Float64Array();
      const figure = (name: string): [string, FigureSamples] => [
        name,
        {
          samples: own.map((value) => value * kind * (1 - loss(node, name))),
          higherIsBetter: true,
        },
      ];
      return { ...run, figures: new Map([figure("left"), figure("right")]) };
    });

  test("a fast node that is slow in one of them is not taken for the slow kind", () => {
    const runs = twoFigures((node, figure) => (node === 7 && figure === "left" ? 0.1 : 0));
    const found = ofNode(runs, classifyRuns(runs), 7);
    expect(found.map(({ verdict }) => verdict)).toEqual(["fail", "fail"]);
    expect(found[0]?.findings[0]).toMatchObject({ metric: "left", rule: "band" });
  });

  test("a node of the slow kind is well", () => {
    const runs = twoFigures(() => 0);
    expect(classifyRuns(runs).filter(({ verdict }) => verdict !== "pass")).toEqual([]);
  });
});
