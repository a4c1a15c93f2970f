import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createEngine,
  type EngineOptions,
  type EventId,
} from "../../../../src/chaos/sim/engine/index.ts";

/** An engine that writes down what happens. */
function watched(limits: EngineOptions["limits"] = {}) {
  const engine = createEngine({ seed: "1", limits });
  const seen: string[] = [];
  const work = engine.kind("work", (a, b) => void seen.push(`${engine.nowUs} work ${a} ${b}`));
  const watch = engine.kind("watch", (a) => void seen.push(`${engine.nowUs} watch ${a}`), {
    isWatchdog: true,
  });
  return { engine, seen, work, watch };
}

describe("order", () => {
  it("is that of times, and of asking where times are equal", () => {
    const { engine, seen, work } = watched();
    engine.at(5, work, 1);
    engine.at(3, work, 2);
    engine.at(5, work, 3, -4);
    engine.after(3, work, 5);
    expect(engine.run(10)).toBe("quiet");
    expect(seen).toEqual(["3 work 2 0", "3 work 5 0", "5 work 1 0", "5 work 3 -4"]);
    expect(engine.nowUs).toBe(5);
    expect(engine.processed).toBe(4);
  });

  it("puts what a handler asks for now behind what was asked for before", () => {
    const engine = createEngine({ seed: "1" });
    const seen: number[] = [];
    const kind = engine.kind("chain", (a) => {
      seen.push(a);
      if (a < 2) engine.after(0, kind, a + 10);
    });
    engine.at(0, kind, 1);
    engine.at(0, kind, 2);
    engine.run(0);
    expect(seen).toEqual([1, 2, 11]);
  });

  it("does not depend on cancelled events in between", () => {
    const times = fc.array(fc.record({ timeUs: fc.nat(50), isKept: fc.boolean() }), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(times, (events) => {
        const { engine, seen, work } = watched();
        const ids = events.map(({ timeUs }, index) => engine.at(timeUs, work, index));
        for (const [index, { isKept }] of events.entries()) {
          if (!isKept) expect(engine.cancel(ids[index] as EventId)).toBe(true);
        }
        const kept = events.flatMap(({ timeUs, isKept }, index) =>
          isKept ? [{ timeUs, index }] : [],
        );
        expect(engine.pending).toBe(kept.length);
        engine.run(100);
        const ordered = kept.toSorted((a, b) => a.timeUs - b.timeUs || a.index - b.index);
        expect(seen).toEqual(ordered.map(({ timeUs, index }) => `${timeUs} work ${index} 0`));
      }),
    );
  });
});

describe("cancel", () => {
  it("takes an event back once, and not one that has happened", () => {
    const { engine, seen, work } = watched();
    const first = engine.at(1, work, 1);
    const second = engine.at(2, work, 2);
    expect(engine.cancel(first)).toBe(true);
    expect(engine.cancel(first)).toBe(false);
    engine.run(5);
    expect(engine.cancel(second)).toBe(false);
    expect(seen).toEqual(["2 work 2 0"]);
  });

  it("leaves the event alone that took the place of one that is over", () => {
    const { engine, seen, work } = watched();
    const over = engine.at(1, work, 1);
    engine.run(1);
    engine.at(2, work, 2);
    expect(engine.cancel(over)).toBe(false);
    engine.run(2);
    expect(seen).toEqual(["1 work 1 0", "2 work 2 0"]);
  });

  it("keeps no room for timers that were taken back, however many", () => {
    const { engine, work } = watched({ pending: 150 });
    engine.at(1, work);
    for (let timer = 0; timer < 10_000; timer++) engine.cancel(engine.at(100, work));
    expect(engine.pending).toBe(1);
    expect(engine.run(1000)).toBe("quiet");
    expect(engine.nowUs).toBe(1);
  });
});

describe("the end of a run", () => {
  it("is quiet when only watchdogs wait, and time stays where it was", () => {
    const { engine, seen, work, watch } = watched();
    engine.at(1, work, 1);
    engine.at(5, watch, 2);
    expect(engine.run(10)).toBe("quiet");
    expect(engine.nowUs).toBe(1);
    expect(seen).toEqual(["1 work 1 0"]);
  });

  it("lets watchdogs happen that come before work", () => {
    const { engine, seen, work, watch } = watched();
    engine.at(5, work, 1);
    engine.at(2, watch, 2);
    engine.run(10);
    expect(seen).toEqual(["2 watch 2", "5 work 1 0"]);
  });

  it("is quiet when the last work was cancelled, and not when the last watchdog was", () => {
    const { engine, work, watch } = watched();
    const only = engine.at(5, work);
    const dog = engine.at(1, watch);
    engine.cancel(dog);
    expect(engine.run(4)).toBe("limit");
    engine.at(6, watch);
    engine.cancel(only);
    expect(engine.run(10)).toBe("quiet");
  });

  it("is the limit when work is due later, which then happens in the next run", () => {
    const { engine, seen, work } = watched();
    engine.at(7, work, 1);
    expect(engine.run(6)).toBe("limit");
    expect(engine.nowUs).toBe(6);
    expect(seen).toEqual([]);
    expect(engine.run(7)).toBe("quiet");
    expect(seen).toEqual(["7 work 1 0"]);
  });

  it("is a pause after the handler that asked for it, and nothing is lost", () => {
    const engine = createEngine({ seed: "1" });
    const seen: number[] = [];
    const kind = engine.kind("work", (a) => {
      seen.push(a);
      if (a === 1) engine.pause();
    });
    engine.at(1, kind, 1);
    engine.at(1, kind, 2);
    expect(engine.run(10)).toBe("paused");
    expect(seen).toEqual([1]);
    expect(engine.run(10)).toBe("quiet");
    expect(seen).toEqual([1, 2]);
  });

  it("can be waken from quiet, one watchdog at a time", () => {
    const { engine, seen, watch } = watched();
    engine.at(3, watch, 1);
    engine.at(4, watch, 2);
    expect(engine.run(10)).toBe("quiet");
    expect(engine.wake(2)).toBe(false);
    expect(engine.wake(10)).toBe(true);
    expect(seen).toEqual(["3 watch 1"]);
    expect(engine.wake(10)).toBe(true);
    expect(engine.wake(10)).toBe(false);
    expect(engine.wake(Infinity)).toBe(false);
  });
});

describe("what is refused", () => {
  it.each([
    ["the past", -1, 0],
    ["a part of a microsecond", 1.5, 0],
    ["no time at all", Number.NaN, 0],
    ["what is no whole number of 32 bits", 1, 2 ** 31],
    ["a fraction to carry", 1, 0.5],
  ])("%s", (_, timeUs, a) => {
    const { engine, work } = watched();
    expect(() => engine.at(timeUs, work, a)).toThrow(/microsecond|32 bits/);
  });

  it("a kind registered twice, and an event of none", () => {
    const { engine } = watched();
    expect(() => engine.kind("work", () => undefined)).toThrow("once");
    expect(() => engine.at(1, 77 as never)).toThrow("registered");
  });

  it("a run inside a run, and time that goes back", () => {
    const engine = createEngine({ seed: "1" });
    const kind = engine.kind("inner", () => void engine.run(5));
    engine.at(1, kind);
    expect(() => engine.run(5)).toThrow("once");
    expect(() => engine.run(0)).toThrow("forward");
  });

  it("more events than may wait at once", () => {
    const { engine, work } = watched({ pending: 3 });
    for (let event = 0; event < 3; event++) engine.at(1, work);
    expect(() => engine.at(1, work)).toThrow("at most 3 events");
    engine.run(1);
    expect(engine.at(2, work)).toBeGreaterThan(0);
  });

  it("an endless loop that takes no time", () => {
    const engine = createEngine({ seed: "1", limits: { instant: 1000 } });
    const kind = engine.kind("loop", () => void engine.after(0, kind));
    engine.at(1, kind);
    expect(() => engine.run(5)).toThrow("time goes on");
  });
});

describe("after a handler threw", () => {
  it("the engine can run on", () => {
    const { engine, seen, work } = watched();
    const bad = engine.kind("bad", () => {
      throw new Error("broken");
    });
    engine.at(1, bad);
    engine.at(2, work, 1);
    expect(() => engine.run(5)).toThrow("broken");
    expect(engine.run(5)).toBe("quiet");
    expect(seen).toEqual(["2 work 1 0"]);
  });
});
