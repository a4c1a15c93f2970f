import { describe, expect, it } from "vitest";
import { dayS, hourS, replayWishes, smallLog } from "./small-log.ts";

describe("what a replay reports", () => {
  it("has exactly the keys of the contract", () => {
    const { metrics } = replayWishes(smallLog([]), []);
    expect(Object.keys(metrics)).toEqual([
      "meanTimeToDetectHours",
      "p90TimeToDetectHours",
      "exposureNodeHours",
      "coverage",
      "testsRun",
      "gpuHours",
      "falseQuarantines",
      "undetected",
    ]);
  });

  it("takes p90 by nearest rank", () => {
    const nodes = Array.from({ length: 11 }, (_, index) => ({
      name: `n${index}`,
      sku: "s",
      rack: "r",
      gpus: 8,
    }));
    const events = nodes.flatMap(({ name }, index) => [
      { type: "defect", t: 0, node: name, id: name, kind: "bad" },
      { type: "repair", t: (index + 1) * hourS, node: name, defect: name },
    ]);
    const of = (count: number) => {
      const some = new Set(nodes.slice(0, count).map(({ name }) => name));
      return replayWishes(
        smallLog(
          events.filter(({ node }) => some.has(node)),
          { nodes },
        ),
        [],
      ).metrics;
    };
    expect(of(10)).toMatchObject({ p90TimeToDetectHours: 9, meanTimeToDetectHours: 5.5 });
    expect(of(11)).toMatchObject({ p90TimeToDetectHours: 10, undetected: 11 });
    expect(of(1).p90TimeToDetectHours).toBe(1);
  });

  it("has no times to detect where there was nothing to detect", () => {
    expect(replayWishes(smallLog([]), []).metrics).toMatchObject({
      meanTimeToDetectHours: null,
      p90TimeToDetectHours: null,
      undetected: 0,
    });
  });

  it("counts as exposure the hours a node was busy while it was defective, each once", () => {
    const log = smallLog([
      { type: "busy", t: 0, node: "a" },
      { type: "defect", t: 2 * hourS, node: "a", id: "d1", kind: "bad" },
      { type: "defect", t: 3 * hourS, node: "a", id: "d2", kind: "bad" },
      { type: "free", t: 7 * hourS, node: "a" },
      { type: "busy", t: 9 * hourS, node: "a" },
      { type: "repair", t: 10 * hourS, node: "a", defect: "d1" },
      { type: "repair", t: 11 * hourS, node: "a", defect: "d2" },
      { type: "busy", t: 0, node: "b" },
    ]);
    expect(replayWishes(log, []).metrics.exposureNodeHours).toBeCloseTo(5 + 2, 10);
  });

  it("counts a defect that is still there at the end until then", () => {
    const log = smallLog([
      { type: "busy", t: 0, node: "a" },
      { type: "defect", t: 0, node: "a", id: "d1", kind: "bad" },
    ]);
    expect(replayWishes(log, []).metrics.exposureNodeHours).toBeCloseTo(240, 10);
  });

  it("averages coverage over the ends of the days; a result of exactly 7 days still counts", () => {
    const wishes = [{ atS: 0, node: 0 }];
    const at = (minutes: number) =>
      replayWishes(smallLog([], { checks: [{ name: "x", minutes, sensitivity: {} }] }), wishes)
        .metrics.coverage;
    // Finished during day 0: fresh at the ends of days 0 to 6, of one node in three.
    expect(at(60)).toBeCloseTo((7 * (1 / 3)) / 10, 10);
    // Finished at the very end of day 0: fresh at the end of day 7 as well.
    expect(at(24 * 60)).toBeCloseTo((8 * (1 / 3)) / 10, 10);
  });

  it("samples a last day that is not whole at its end", () => {
    const { metrics } = replayWishes(smallLog([], { end: dayS + hourS * 2 }), [
      { atS: dayS, node: 0 },
    ]);
    expect(metrics.coverage).toBeCloseTo((0 + 1 / 3) / 2, 10);
  });
});
