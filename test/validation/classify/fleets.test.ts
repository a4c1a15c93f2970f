import { describe, expect, test } from "vitest";
import { plainFleet } from "../../../bench/validation/fleet-spec.ts";
import { judgeByMad } from "../../../bench/validation/mad-rule.ts";
import { scenarios } from "../../../bench/validation/scenarios.ts";
import { addScores, judgeFleet, scoreOf } from "../../../bench/validation/score.ts";

const named = (names: readonly string[], seed: string) =>
  scenarios(seed).filter(({ name }) => names.includes(name));

const scoreAll = (names: readonly string[]) =>
  addScores(named(names, "x").map((spec) => scoreOf(judgeFleet(spec))));

describe("synthetic fleets with known defects", () => {
  test("nearly all losses of 3 sigma and more are found, and hardly a healthy run is blamed", () => {
    const score = scoreAll([
      "plain",
      "noise 0.5 %",
      "noise 5 %",
      "latencies, units mixed",
      "one sample a GPU",
      "figures by GPU",
      "25 % defective",
      "single slow iterations",
      "heavy tails in samples",
    ]);
    expect(score.foundRuns / score.defectRuns).toBeGreaterThan(0.95);
    // One healthy node called bad is 0.13 % of so few runs; the bench has enough to promise 0.1 %.
    expect(score.falseRuns / score.healthyRuns).toBeLessThan(0.003);
  });

  test("a second population of healthy nodes is not blamed", () => {
    const score = scoreAll(["second population, 30 %", "second population of 40 nodes"]);
    expect(score.falseRuns / score.healthyRuns).toBeLessThan(0.001);
  });

  test("no garbled run passes, and nobody fails in an incident", () => {
    const score = scoreAll(["garbled runs", "incident of an hour", "incident of a cohort"]);
    expect(score.garbledRuns).toBeGreaterThan(30);
    expect(score.incidentRuns).toBeGreaterThan(30);
    expect([score.garbledPassed, score.incidentFailed]).toEqual([0, 0]);
  });

  test("the median/MAD rule misses what leaves the median alone", () => {
    const spec = { ...plainFleet, name: "stalls", defects: ["stalls"] as const };
    const mad = scoreOf(judgeByMad(spec));
    const ours = scoreOf(judgeFleet(spec));
    expect(mad.foundRuns / mad.defectRuns).toBeLessThan(0.3);
    expect(ours.foundRuns / ours.defectRuns).toBeGreaterThan(0.95);
  });

  test("the same fleet gets the same verdicts", () => {
    const verdicts = () => judgeFleet({ ...plainFleet, nodes: 30 }).map(({ verdict }) => verdict);
    expect(verdicts()).toEqual(verdicts());
  });
});
