import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  endOf,
  faultLanesMax,
  happeningAt,
  lanesOf,
  type TimelineSource,
} from "../../../web/src/pages/experiments/model/timeline-lanes.ts";

const nothing: TimelineSource = {
  injections: [],
  recoveries: [],
  generations: [],
  saves: [],
  rate: null,
  endS: null,
};

const killed = {
  id: "kill",
  fault: "kill_device",
  target: "rank 1",
  injectedS: 1,
  effectS: 1.1,
  effect: "the worker ended",
  revertedS: 3,
};

const phases = (ends: Readonly<Record<string, number | null>>) =>
  ["detect", "isolate", "reform", "load", "first", "regain", "steady"].map((phase) => ({
    phase,
    endS: ends[phase] ?? null,
  }));

describe("lanes of a run", () => {
  it("draw a fault from its injection to its undoing, with its effect marked", () => {
    const [lane] = lanesOf({ ...nothing, injections: [killed], endS: 10 });
    expect(lane).toMatchObject({
      name: "kill_device · rank 1",
      spans: [{ fromS: 1, toS: 3, kind: "fault", isOpen: false }],
      marks: [{ atS: 1.1, kind: "effect", label: "the worker ended" }],
    });
  });

  it("leave a fault that was never undone open until the end", () => {
    const [lane] = lanesOf({ ...nothing, injections: [{ ...killed, revertedS: null }], endS: 10 });
    expect(lane?.spans).toMatchObject([{ fromS: 1, toS: 10, isOpen: true }]);
  });

  it("draw nothing for a fault that was never injected", () => {
    const planned = { ...killed, injectedS: null, effectS: null, revertedS: null };
    expect(lanesOf({ ...nothing, injections: [planned], endS: 10 })).toEqual([]);
  });

  it("share one lane where there are more faults than anybody reads", () => {
    const many = Array.from({ length: faultLanesMax + 3 }, (_, at) => ({
      ...killed,
      id: `kill-${at}`,
    }));
    const lanes = lanesOf({ ...nothing, injections: many, endS: 10 });
    expect(lanes).toHaveLength(faultLanesMax + 1);
    expect(lanes.at(-1)).toMatchObject({ name: "3 more faults" });
    expect(lanes.at(-1)?.spans).toHaveLength(3);
  });

  it("follow the phases of a recovery one after the other", () => {
    const ends = { detect: 2, isolate: 2, reform: 5, load: 6, first: 6.5 };
    const recovery = {
      faults: ["kill"],
      path: "checkpointRestart",
      effectS: 1,
      phases: phases(ends),
    };
    const [lane] = lanesOf({ ...nothing, recoveries: [recovery], endS: 10 });
    expect(lane?.spans.map(({ kind, fromS, toS }) => [kind, fromS, toS])).toEqual([
      ["detect", 1, 2],
      ["reform", 2, 5],
      ["load", 5, 6],
      ["first", 6, 6.5],
    ]);
  });

  it("say that a recovery never ended, and not for a failure that was clean", () => {
    const recovery = { faults: ["kill"], effectS: 1, phases: phases({ detect: 2 }) };
    const lost = lanesOf({
      ...nothing,
      recoveries: [{ ...recovery, path: "checkpointRestart" }],
      endS: 10,
    });
    expect(lost[0]?.spans.at(-1)).toMatchObject({
      label: "never recovered",
      toS: 10,
      isOpen: true,
    });
    const clean = lanesOf({
      ...nothing,
      recoveries: [{ ...recovery, path: "cleanFailure" }],
      endS: 10,
    });
    expect(clean[0]?.spans.map(({ label }) => label)).toEqual(["to detect"]);
  });

  it("tell saves that failed from those that did not", () => {
    const saves = [
      { atS: 2, tag: "step8", ok: true },
      { atS: 4, tag: "step16", ok: false },
    ];
    expect(lanesOf({ ...nothing, saves, endS: 5 })[0]?.marks).toMatchObject([
      { kind: "save" },
      { kind: "bad", label: "step16 was not saved" },
    ]);
  });

  it("never overlap within the recovery lane and never run backwards", () => {
    const time = fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: null });
    const recovery = fc.record({
      faults: fc.constant(["x"]),
      path: fc.constantFrom("checkpointRestart", "none", "cleanFailure"),
      effectS: time,
      phases: fc
        .array(time, { minLength: 7, maxLength: 7 })
        .map((ends) =>
          phases(
            Object.fromEntries(
              ["detect", "isolate", "reform", "load", "first", "regain", "steady"].map(
                (phase, at) => [phase, ends[at] ?? null],
              ),
            ),
          ),
        ),
    });
    fc.assert(
      fc.property(recovery, (one) => {
        const spans = lanesOf({ ...nothing, recoveries: [one] })[0]?.spans ?? [];
        spans.forEach((span, at) => {
          expect(span.toS).toBeGreaterThanOrEqual(span.fromS);
          expect(span.fromS).toBeGreaterThanOrEqual(spans[at - 1]?.toS ?? 0);
        });
      }),
    );
  });
});

describe("the end of the axis", () => {
  it("is the last moment anything is known of", () => {
    expect(endOf({ ...nothing, injections: [killed], endS: null })).toBe(3);
    expect(endOf({ ...nothing, injections: [killed], endS: 12 })).toBe(12);
  });

  it("is never nought, also when nothing is known", () => {
    expect(endOf(nothing)).toBe(1);
  });
});

describe("what was going on at a moment", () => {
  const lanes = lanesOf({
    ...nothing,
    injections: [killed],
    generations: [{ fromS: 0, toS: 2, ranks: 4, reason: "" }],
    endS: 10,
  });

  it("names faults in force and the generation", () => {
    expect(happeningAt(lanes, 1.5)).toEqual(["kill_device on rank 1", "generation 1: 4 ranks"]);
  });

  it("is nothing where nothing was", () => {
    expect(happeningAt(lanes, 9)).toEqual([]);
  });
});
