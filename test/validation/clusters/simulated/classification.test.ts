import { beforeAll, describe, expect, it } from "vitest";
import {
  type CheckRun,
  type ClassifiedRun,
  classifyRuns,
} from "../../../../src/validation/classify/index.ts";
import type { SimulatedTruth } from "../../../../src/validation/clusters/simulated/index.ts";
import { dayMs, hourMs, startCluster, testInTurn } from "./drive.ts";

interface JudgedRun {
  readonly run: CheckRun;
  readonly verdict: ClassifiedRun["verdict"];
  /** The defect of its node at that time that can show in its check. */
  readonly defect: SimulatedTruth | undefined;
  /** Its node never had a defect. */
  readonly isOfHealthyNode: boolean;
}

let judged: readonly JudgedRun[] = [];

beforeAll(async () => {
  // Half the fleet is free, so that every node is tested by every check several times in the time.
  const driven = startCluster({
    seed: "11",
    nodes: 128,
    utilisation: 0.5,
    defectiveShare: 0.1,
    defectsPer1000NodeDays: 0,
    repairDays: 0,
    slowStorageHours: 0.05,
  });
  const runs = await testInTurn(driven, { days: 2, inFlight: 10 });
  const truth = driven.cluster.truth();
  judged = classifyRuns(runs).map(({ verdict }, at) => {
    const run = runs[at];
    if (run === undefined) throw new Error("one verdict for each run");
    const own = truth.filter(({ node }) => node === run.node);
    const defect = own.find(({ showsIn }) => showsIn.includes(run.check));
    return { run, verdict, defect, isOfHealthyNode: own.length === 0 };
  });
});

function groupBy(
  runs: readonly JudgedRun[],
  keyOf: (run: JudgedRun) => unknown,
): readonly (readonly JudgedRun[])[] {
  const keys = new Set(runs.map(keyOf));
  return [...keys].map((key) => runs.filter((run) => keyOf(run) === key));
}

function metWrongAnswer({ run }: JudgedRun): boolean {
  return (run.hardFacts ?? []).length > 0;
}

/** Wrong answers come now and then, and a decay takes days until it is worth speaking of. */
function isFindable(judgedRun: JudgedRun): boolean {
  const { run, defect } = judgedRun;
  if (defect?.kind === "wrong-answers") return metWrongAnswer(judgedRun);
  return defect?.kind !== "slow-decay" || run.timestampMs - defect.onsetMs > 4 * dayMs;
}

function share(runs: readonly JudgedRun[], isSo: (run: JudgedRun) => boolean): number {
  return runs.filter(isSo).length / runs.length;
}

describe("runs of 128 simulated nodes, classified", () => {
  it("have runs of every check on nearly every node", () => {
    for (const check of ["dl-unit", "nccl-loopback", "storage-io"]) {
      const nodes = new Set(judged.filter(({ run }) => run.check === check).map((o) => o.run.node));
      expect(nodes.size).toBeGreaterThan(100);
    }
  });

  it("find the defects of every kind in the checks they show in", () => {
    const kinds = new Map<string, { found: number; all: number }>();
    const affected = judged.filter(({ defect }) => defect !== undefined);
    for (const runs of groupBy(affected, ({ defect }) => defect?.id)) {
      const kind = runs[0]?.defect?.kind ?? "";
      const tally = kinds.get(kind) ?? { found: 0, all: 0 };
      kinds.set(kind, tally);
      tally.all++;
      // Only a second run makes a fail of what one run suspects.
      const found = runs.length === 1 ? "suspect" : "fail";
      const isFound = runs.some(({ verdict }) => verdict === "fail" || verdict === found);
      if (isFound || !runs.some(isFindable)) tally.found++;
    }
    expect([...kinds.keys()].toSorted()).toEqual([
      "dead-link",
      "slow-decay",
      "slow-gpu",
      "slow-storage",
      "stalls",
      "uniform-loss",
      "wrong-answers",
    ]);
    for (const [kind, { found, all }] of kinds) expect([kind, found]).toEqual([kind, all]);
    const wrong = judged.filter(metWrongAnswer);
    expect(wrong.length).toBeGreaterThan(0);
    expect(wrong.every(({ verdict, defect }) => verdict === "fail" && defect !== undefined)).toBe(
      true,
    );
  });

  it("pass on healthy nodes but for a few, and almost none fails", () => {
    const healthy = judged.filter(({ isOfHealthyNode, run }) => isOfHealthyNode && run.completed);
    expect(healthy.length).toBeGreaterThan(900);
    const steady = healthy.filter(({ run }) => run.check !== "storage-io");
    expect(share(steady, ({ verdict }) => verdict === "pass")).toBeGreaterThan(0.99);
    const blamed = ({ verdict }: JudgedRun) => verdict === "fail" || verdict === "suspect";
    expect(share(healthy, blamed)).toBeLessThan(0.003);
  });

  it("are never better than unknown when they did not complete", () => {
    const cut = judged.filter(({ run }) => !run.completed);
    expect(cut.length).toBeGreaterThan(0);
    expect(new Set(cut.map(({ verdict }) => verdict))).toEqual(new Set(["unknown"]));
  });

  it("blame the file system, not the nodes, in its slow hours", () => {
    const storage = judged.filter(({ run }) => run.check === "storage-io");
    const byHour = groupBy(storage, ({ run }) => Math.floor(run.timestampMs / hourMs));
    const bad = byHour.filter((runs) => {
      return runs.length >= 5 && share(runs, ({ verdict }) => verdict !== "pass") > 0.6;
    });
    expect(bad.length).toBeGreaterThan(0);
    expect(bad.length).toBeLessThan((2 * dayMs) / hourMs / 4);
    const spared = bad.flat().filter(({ isOfHealthyNode }) => isOfHealthyNode);
    expect(share(spared, ({ verdict }) => verdict === "warn")).toBeGreaterThan(0.6);
    expect(share(spared, ({ verdict }) => verdict === "fail")).toBe(0);
  });
});
