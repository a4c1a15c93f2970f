import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ExperimentEventView } from "../../../src/control/api/experiments.ts";
import {
  emptyTail,
  eventsShownMax,
  newestStep,
  withMore,
  withoutSteps,
} from "../../../web/src/pages/experiments/model/event-tail.ts";
import { betterText, metricText } from "../../../web/src/pages/experiments/model/metric-words.ts";
import { sentence } from "../../../web/src/pages/experiments/model/state-words.ts";
import { timeUseParts } from "../../../web/src/pages/experiments/model/time-use.ts";

const metric = { name: "hangs", title: "Hangs", unit: "", better: null, value: 0 } as const;

function event(seq: number, more: Partial<ExperimentEventView> = {}): ExperimentEventView {
  const usual = { atS: seq, phase: "method", kind: "step", text: "a step", units: 1 } as const;
  return { seq, step: seq, ...usual, ...more };
}

describe("figures in words", () => {
  it("are per cent where they are shares, and times where they are times", () => {
    expect(metricText({ ...metric, name: "goodput", value: 0.1574 })).toBe("15.7 %");
    expect(metricText({ ...metric, name: "recoverySeconds", unit: "s", value: 2.372 })).toBe(
      "2.37 s",
    );
    expect(metricText({ ...metric, value: 12_345 })).toBe("12,345");
  });

  it("say that they are not known, and never nought instead", () => {
    expect(metricText({ ...metric, value: null })).toBe("not known");
    expect(metricText({ ...metric, value: 0 })).toBe("0");
  });

  it("say which way is good in words, and nothing where neither is", () => {
    expect(betterText("higher")).toContain("higher is better");
    expect(betterText("lower")).toContain("lower is better");
    expect(betterText(null)).toBe("");
  });
});

describe("the tail of a log", () => {
  it("is the same when an answer comes twice", () => {
    const once = withMore(emptyTail, [event(0), event(1)]);
    expect(withMore(once, [event(0), event(1)])).toBe(once);
  });

  it("keeps the newest in order and counts what it let go", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 8 }), (sizes) => {
        let tail = emptyTail;
        let total = 0;
        for (const size of sizes) {
          tail = withMore(
            tail,
            Array.from({ length: size }, (_, at) => event(total + at)),
          );
          total += size;
        }
        expect(tail.events.length).toBeLessThanOrEqual(eventsShownMax);
        expect(tail.events.length + tail.dropped).toBe(total);
        expect(tail.events.at(-1)?.seq ?? -1).toBe(total - 1);
      }),
    );
  });

  it("knows the newest step, and that there is none", () => {
    const tail = withMore(emptyTail, [
      event(0, { step: 7 }),
      event(1, { kind: "detect", step: null }),
    ]);
    expect(newestStep(tail)).toBe(7);
    expect(newestStep(emptyTail)).toBeNull();
  });

  it("can leave out steps and nothing else", () => {
    const events = [event(0), event(1, { kind: "detect" })];
    expect(withoutSteps(events).map(({ kind }) => kind)).toEqual(["detect"]);
  });
});

describe("where the time went", () => {
  it("adds up to all of it, in words", () => {
    const parts = timeUseParts([
      { use: "productive", seconds: 3 },
      { use: "save", seconds: 0 },
      { use: "recovery", seconds: 1 },
    ]);
    expect(parts.map(({ title, share }) => [title, share])).toEqual([
      ["steps that stayed", 0.75],
      ["recovery", 0.25],
    ]);
  });

  it("is nothing when no time was spent", () => {
    expect(timeUseParts([])).toEqual([]);
  });
});

describe("a reason that came without a beginning and an end", () => {
  it("becomes a sentence", () => {
    expect(sentence("stopped by somebody")).toBe("Stopped by somebody.");
  });

  it("stays as it is when it was one", () => {
    expect(sentence("It was stopped.")).toBe("It was stopped.");
  });
});
