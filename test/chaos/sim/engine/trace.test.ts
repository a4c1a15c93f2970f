import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compareTraces,
  createEngine,
  firstDifference,
  type Trace,
  type TraceWindow,
} from "../../../../src/chaos/sim/engine/index.ts";

interface Step {
  readonly afterUs: number;
  readonly name: string;
  readonly a: number;
  readonly b: number;
  readonly isNote: boolean;
}

/** Runs a list of steps, each an event or a note. */
function play(steps: readonly Step[], window: TraceWindow = { from: 0, entries: 0 }): Trace {
  const engine = createEngine({ seed: "1", window });
  const kinds = new Map<string, ReturnType<typeof engine.kind>>();
  let at = 0;
  for (const { afterUs, name, a, b, isNote } of steps) {
    at += afterUs;
    if (isNote) {
      engine.note(name, a, b);
      continue;
    }
    const kind = kinds.get(name) ?? engine.kind(name, () => undefined);
    kinds.set(name, kind);
    engine.at(Math.max(at, engine.nowUs), kind, a, b);
    engine.run(Math.max(at, engine.nowUs));
  }
  return engine.trace();
}

const anInt32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const aStep: fc.Arbitrary<Step> = fc.record({
  afterUs: fc.oneof(fc.nat(5), fc.integer({ min: 2 ** 31, max: 2 ** 33 })),
  name: fc.constantFrom("one", "two", "three", "four"),
  a: fc.oneof(fc.nat(3), anInt32),
  b: fc.oneof(fc.constant(0), anInt32),
  isNote: fc.boolean(),
});

describe("the hash of a trace", () => {
  it("is the same for the same things, on every machine and version of Node", () => {
    const steps = Array.from({ length: 2000 }, (_, index) => ({
      afterUs: index % 7 === 0 ? 2 ** 32 + index : index,
      name: `kind ${index % 5}`,
      a: index * 31 - 1000,
      b: -index,
      isNote: index % 3 === 0,
    }));
    expect(play(steps).hash).toBe(play(steps).hash);
    expect(play(steps).hash).toBe("5356afe6a89c5d3b");
  });

  it("is another when one thing is another, whatever comes after", () => {
    const changes = fc.constantFrom<(step: Step) => Step>(
      (step) => ({ ...step, a: step.a ^ 1 }),
      (step) => ({ ...step, b: step.b ^ 0x100 }),
      (step) => ({ ...step, afterUs: step.afterUs + 1 }),
      (step) => ({ ...step, name: `${step.name} ` }),
    );
    const anEvent = aStep.map((step) => ({ ...step, isNote: false }));
    fc.assert(
      fc.property(
        fc.array(aStep, { maxLength: 20 }),
        anEvent,
        fc.array(aStep, { maxLength: 20 }),
        changes,
        (before, step, after, change) => {
          const one = play([...before, step, ...after]);
          expect(play([...before, change(step), ...after]).hash).not.toBe(one.hash);
          expect(play([...before, ...after]).hash).not.toBe(one.hash);
          expect(play([...before, step, ...after]).hash).toBe(one.hash);
        },
      ),
    );
  });

  it("does not know kinds that were registered and never happened", () => {
    const one = createEngine({ seed: "1" });
    const other = createEngine({ seed: "1" });
    other.kind("never", () => undefined);
    for (const engine of [one, other])
      engine.at(
        1,
        engine.kind("work", () => undefined),
      );
    one.run(1);
    other.run(1);
    expect(one.traceHash()).toBe(other.traceHash());
  });

  it("hardly ever meets by chance", () => {
    const hashes = new Set<string>();
    for (let a = 0; a < 60; a++) {
      for (let b = 0; b < 30; b++) {
        hashes.add(play([{ afterUs: 0, name: "x", a, b, isNote: true }]).hash);
      }
    }
    expect(hashes.size).toBe(1800);
  });
});

/** A long run in which one event may be another. */
function long(entries: number, oddAt = -1) {
  return (window: TraceWindow): Trace => {
    const engine = createEngine({ seed: "1", window });
    let done = 0;
    const kind = engine.kind("work", () => {
      if (++done < entries) engine.after(done === oddAt ? 2 : 1, kind, done % 10);
    });
    engine.at(0, kind);
    engine.run(Infinity);
    return engine.trace();
  };
}
const nothing = { from: 0, entries: 0 };

describe("two traces", () => {
  it("that are the same have no difference", async () => {
    expect(compareTraces(long(5000)(nothing), long(5000)(nothing))).toEqual({ same: true });
    expect(await firstDifference(long(5000), long(5000))).toBeNull();
  });

  it("part between two marks around the first difference, and at exactly one entry", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3000 }),
        fc.integer({ min: 2, max: 3000 }),
        async (oddAt, entries) => {
          fc.pre(oddAt < entries);
          const comparison = compareTraces(long(entries)(nothing), long(entries, oddAt)(nothing));
          expect(comparison).toMatchObject({ same: false });
          if (comparison.same) return;
          expect(comparison.from).toBeLessThanOrEqual(oddAt);
          expect(comparison.before).toBeGreaterThan(oddAt);
          expect(comparison.before - comparison.from).toBeLessThanOrEqual(8);
          const difference = await firstDifference(long(entries), long(entries, oddAt));
          expect(difference?.index).toBe(oddAt);
          expect((difference?.other?.timeUs ?? 0) - (difference?.one?.timeUs ?? 0)).toBe(1);
        },
      ),
      { numRuns: 20 },
    );
  });

  it("of different length part where the shorter one ends, also when marks are further apart", async () => {
    expect(await firstDifference(long(100), long(5000))).toMatchObject({ index: 100, one: null });
    expect(await firstDifference(long(5000), long(100))).toMatchObject({ index: 100, other: null });
    expect(await firstDifference(long(0), long(1))).toBeNull();
  });

  it("of a program that is not deterministic say so without an entry", async () => {
    let runs = 0;
    const changing = (window: TraceWindow) => long(100, runs++ === 1 ? 50 : -1)(window);
    expect(await firstDifference(changing, changing)).toMatchObject({ one: null, other: null });
  });

  it("keep a bounded number of marks, however long they are", () => {
    const { marks, entries } = long(20_000)(nothing);
    expect(entries).toBe(20_000);
    expect(marks.length).toBeLessThanOrEqual(1024);
    expect(marks.length).toBeGreaterThanOrEqual(512);
    const distances = marks.slice(1).map((mark, at) => mark.entries - (marks[at]?.entries ?? 0));
    expect(new Set(distances).size).toBe(1);
  });
});

describe("a window", () => {
  it("keeps the entries asked for and no others", () => {
    const { window } = long(100)({ from: 10, entries: 2 });
    expect(window).toEqual([
      { index: 10, timeUs: 10, name: "work", a: 0, b: 0 },
      { index: 11, timeUs: 11, name: "work", a: 1, b: 0 },
    ]);
  });

  it("that is too wide is refused", () => {
    expect(() => long(1)({ from: 0, entries: 2 ** 20 + 1 })).toThrow("window");
  });
});
