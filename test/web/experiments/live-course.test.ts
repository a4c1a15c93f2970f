import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ExperimentEventView } from "../../../src/control/api/experiments.ts";
import { liveCourse } from "../../../web/src/pages/experiments/model/live-course.ts";
import { lanesOf } from "../../../web/src/pages/experiments/model/timeline-lanes.ts";

function step(
  atS: number,
  phase: ExperimentEventView["phase"] = "method",
  units = 8,
): ExperimentEventView {
  return { seq: 0, atS, phase, kind: "step", text: "step 1", step: 1, units };
}

function save(text: string): ExperimentEventView {
  return { seq: 0, atS: 1, phase: "method", kind: "save", text, step: 8, units: null };
}

describe("the course of a run that goes on", () => {
  it("holds as many units as the steps did", () => {
    const times = fc.array(fc.double({ min: 0.01, max: 100, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(times, (all) => {
        const course = liveCourse(
          all.map((atS) => step(atS)),
          [],
        );
        const widthS = (course?.endS ?? 0) / (course?.rate?.times.length ?? 1);
        const sum = (course?.rate?.withFaults ?? []).reduce<number>(
          (so, one) => so + (one ?? 0),
          0,
        );
        expect(sum * widthS).toBeCloseTo(all.length * 8, 3);
      }),
    );
  });

  it("takes the run without faults as the usual rate, and nothing for what is not known yet", () => {
    const course = liveCourse([step(1, "baseline"), step(2, "baseline"), step(0.5)], []);
    expect(course?.rate?.usual.at(-1)).toBeGreaterThan(0);
    expect(course?.rate?.withFaults.at(-1)).toBeNull();
  });

  it("tells nothing of the time before the oldest step that is kept", () => {
    const kept = Array.from({ length: 60 }, (_, at) => step(50 + at));
    const rates = liveCourse(kept, [])?.rate?.withFaults ?? [];
    expect(rates[0]).toBeNull();
    expect(rates.at(-1)).toBeGreaterThan(0);
    expect(rates).not.toContain(0);
  });

  it("marks saves that ended, good and bad, and none that only began", () => {
    const texts = ["save step8 begun", "save step8 committed", "save step8 failed"];
    const course = liveCourse([step(2), ...texts.map(save)], []);
    expect(course?.saves.map(({ ok }) => ok)).toEqual([true, false]);
  });

  it("has a lane for a fault that is in force, open to where the run is, and none for one that waits", () => {
    const fault = { fault: "freeze_worker", target: "rank 1", effect: null, effectS: null };
    const course = liveCourse(
      [step(4)],
      [
        { ...fault, id: "a", injectedS: 1, revertedS: null },
        { ...fault, id: "b", injectedS: null, revertedS: null },
      ],
    );
    const lanes = course === undefined ? [] : lanesOf(course);
    const faults = lanes.filter(({ spans }) => spans.some(({ kind }) => kind === "fault"));
    expect(faults.map(({ spans }) => spans)).toEqual([
      [{ fromS: 1, toS: 4, kind: "fault", label: "freeze_worker on rank 1", isOpen: true }],
    ]);
  });

  it("is not there before the first step", () => {
    expect(liveCourse([], [])).toBeUndefined();
    expect(liveCourse([save("save step8 committed")], [])).toBeUndefined();
  });
});
