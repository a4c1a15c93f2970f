import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ExperimentEventView } from "../../../src/control/api/experiments.ts";
import {
  emptyTail,
  eventsShownMax,
  withMore,
} from "../../../web/src/pages/experiments/model/event-tail.ts";
import { liveCourse } from "../../../web/src/pages/experiments/model/live-course.ts";
import {
  lanesOf,
  type TimelineSource,
} from "../../../web/src/pages/experiments/model/timeline-lanes.ts";

type Given = Omit<ExperimentEventView, "seq">;

function step(atS: number, phase: Given["phase"] = "method", number = 1): Given {
  return { atS, phase, kind: "step", text: `step ${number}`, step: number, units: 8 };
}

function said(kind: string, atS: number, text = kind): Given {
  return { atS, phase: "method", kind, text, step: null, units: null };
}

/** What a page draws that got these events, in answers of 700, from this number on. */
function courseOf(
  given: readonly Given[],
  { from = 0, injections = [] as TimelineSource["injections"] } = {},
): TimelineSource | undefined {
  const events = given.map((event, at) => ({ ...event, seq: from + at }));
  let tail = emptyTail;
  for (let at = 0; at < events.length; at += 700) tail = withMore(tail, events.slice(at, at + 700));
  return liveCourse(tail.run, injections);
}

/** Steps at even distances, the last one at the end. */
function steady(count: number, everyS: number, phase: Given["phase"] = "method"): Given[] {
  return Array.from({ length: count }, (_, at) => step((at + 1) * everyS, phase, at + 1));
}

function known(values: readonly (number | null)[] | undefined): number[] {
  return (values ?? []).filter((one) => one !== null);
}

describe("the curve of a run that goes on", () => {
  it("is that of its steps everywhere, also at the newest one and however many there were", () => {
    const counts = fc.integer({ min: 20, max: 9000 });
    fc.assert(
      fc.property(counts, fc.double({ min: 0.01, max: 40, noNaN: true }), (count, everyS) => {
        const course = courseOf(steady(count, everyS));
        const { times = [], withFaults = [] } = course?.rate ?? {};
        const windowS = (times[0] ?? 0) * 2;
        expect(known(withFaults).length).toBeGreaterThan(0);
        // A window may have one step more or less than its share of the time.
        for (const rate of known(withFaults)) {
          expect(Math.abs(rate * windowS - (8 * windowS) / everyS)).toBeLessThanOrEqual(8 + 1e-6);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("falls where there were no steps, once something else tells that time went on", () => {
    const before = steady(120, 1);
    const still = courseOf([...before, said("detect", 160)])?.rate?.withFaults ?? [];
    expect(known(still)).toContain(0);
    expect(known(courseOf(before)?.rate?.withFaults)).not.toContain(0);
  });

  it("keeps the usual rate when the log has long let go of the run without faults", () => {
    const baseline = steady(600, 1, "baseline");
    const early = courseOf(baseline)?.rate?.usual;
    const late = courseOf([...baseline, ...steady(2 * eventsShownMax, 0.15)])?.rate?.usual;
    expect(known(early).length).toBeGreaterThan(20);
    expect(known(late).slice(1)).toEqual(
      known(late)
        .slice(1)
        .map(() => 8),
    );
    expect(known(late).length).toBeGreaterThan(20);
  });

  it("tells nothing of the time before the oldest event that was read", () => {
    const given = steady(600, 1).filter(({ atS }) => atS > 300);
    const rates = courseOf(given, { from: 5000 })?.rate?.withFaults ?? [];
    expect(rates[0]).toBeNull();
    expect(known(rates)).not.toContain(0);
    // With the beginning read, that there was nothing is known.
    expect(courseOf(given)?.rate?.withFaults[0]).toBe(0);
  });

  it("is not there before the first step", () => {
    expect(courseOf([])).toBeUndefined();
    expect(courseOf([said("save", 1, "save step8 committed")])).toBeUndefined();
  });
});

describe("faults and saves of a run that goes on", () => {
  it("saves are marked that ended, good and bad, and none that only began", () => {
    const texts = ["save step8 begun", "save step8 committed", "save step8 failed: full"];
    const course = courseOf([step(2), ...texts.map((text) => said("save", 3, text))]);
    expect(course?.saves.map(({ ok }) => ok)).toEqual([true, false]);
  });

  it("has a lane for a fault that is in force, open to where the run is, and none for one that waits", () => {
    const fault = { fault: "freeze_worker", target: "rank 1", effect: null, effectS: null };
    const injections = [
      { ...fault, id: "a", injectedS: 1, revertedS: null },
      { ...fault, id: "b", injectedS: null, revertedS: null },
    ];
    const course = courseOf([step(4)], { injections });
    const lanes = course === undefined ? [] : lanesOf(course);
    const faults = lanes.filter(({ spans }) => spans.some(({ kind }) => kind === "fault"));
    expect(faults.map(({ spans }) => spans)).toEqual([
      [{ fromS: 1, toS: 4, kind: "fault", label: "freeze_worker on rank 1", isOpen: true }],
    ]);
  });
});

describe("recovery of a run that goes on", () => {
  const killed = {
    id: "a",
    fault: "kill_device",
    target: "rank 1",
    injectedS: 10,
    effectS: 10.5,
    effect: null,
    revertedS: null,
  };
  const before = [said("generation", 0.1), ...steady(10, 1)];
  const lost = [said("detect", 12), said("isolate", 13)];
  const back = [
    said("generation", 14),
    said("restore", 15, "back at step 8 from step8"),
    step(16, "method", 9),
    step(17, "method", 10),
    step(18, "method", 11),
  ];
  const spansOf = (given: readonly Given[]) => {
    const course = courseOf(given, { injections: [killed] });
    const lane = lanesOf(course as TimelineSource).find(({ name }) => name === "recovery");
    return lane?.spans.map(({ kind, fromS, toS, isOpen }) => [kind, fromS, toS, isOpen]);
  };

  it("has its phases from the effect of the fault to where the run was before", () => {
    expect(spansOf([...before, ...lost, ...back])).toEqual([
      ["detect", 10.5, 12, false],
      ["isolate", 12, 13, false],
      ["reform", 13, 14, false],
      ["load", 14, 15, false],
      ["first", 15, 16, false],
      ["regain", 16, 18, false],
    ]);
  });

  it("is open while it lasts, which is not yet never", () => {
    expect(spansOf([...before, ...lost, said("pause", 20)])?.at(-1)).toEqual([
      "first",
      13,
      20,
      true,
    ]);
    const course = courseOf([...before, ...lost, said("pause", 20)]);
    const labels = lanesOf(course as TimelineSource).flatMap(({ spans }) =>
      spans.map(({ label }) => label),
    );
    expect(labels).toContain("not recovered yet");
    expect(labels).not.toContain("never recovered");
  });

  it("begins anew when an attempt led nowhere", () => {
    const again = [said("isolate", 15.5), ...back.map((one) => ({ ...one, atS: one.atS + 4 }))];
    expect(spansOf([...before, ...lost, said("generation", 14), ...again])).toContainEqual([
      "reform",
      15.5,
      18,
      false,
    ]);
  });

  it("is none where nothing was noticed, nor for the first generation and what it loads", () => {
    expect(spansOf([...before, said("restore", 11, "back at step 8 from step8")])).toBeUndefined();
  });
});
