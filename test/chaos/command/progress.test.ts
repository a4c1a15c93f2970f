import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProgressBook, readProgressLine } from "../../../src/chaos/command/index.ts";
import type { JobEvent } from "../../../src/chaos/record/index.ts";

describe("a line of progress", () => {
  it("is read with all it says, and with what a launcher puts before it", () => {
    const line = '[default0]: {"tessera": {"step": 12, "units": 64, "digest": "ab", "new": 1}}';
    expect(readProgressLine(line)).toEqual({ step: 12, units: 64, digest: "ab" });
    expect(readProgressLine('{"tessera":{"checkpoint":{"tag":"a","step":4}}}')).toEqual({
      checkpoint: { tag: "a", step: 4, phase: "committed" },
    });
    expect(readProgressLine('{"tessera":{"restore":{"step":0}}}')).toEqual({
      restore: { tag: null, step: 0, phase: "done" },
    });
  });

  it("of somebody else is foreign", () => {
    expect(readProgressLine("epoch 3, loss 0.1")).toBe("foreign");
    expect(readProgressLine('{"step": 3}')).toBe("foreign");
  });

  it.each([
    ['{"tessera":{"step":0}}', "`step` is not as it should be"],
    ['{"tessera":{"step":1.5}}', "`step` is not as it should be"],
    ['{"tessera":{"step":1,"units":-1}}', "`units` is not as it should be"],
    ['{"tessera":{}}', "it says nothing"],
    ['{"tessera":{"step":1}', "it is no JSON"],
    ['{"tessera":4}', "it says nothing"],
  ])("that is meant for us and not understood says why: %s", (line, problem) => {
    expect(readProgressLine(line)).toEqual({ problem });
  });

  it("never throws, whatever a program prints", () => {
    fc.assert(
      fc.property(fc.string(), fc.json(), (text, json) => {
        for (const line of [text, json, `{"tessera":${json}}`, `${text}{"tessera":${text}`]) {
          expect(readProgressLine(line)).toBeDefined();
        }
      }),
    );
  });
});

describe("a book of progress", () => {
  const open = () => {
    const told: JobEvent[] = [];
    return { told, book: new ProgressBook((event) => told.push(event)) };
  };

  it("counts a step that is done again once", () => {
    const { book, told } = open();
    for (const [at, step] of [1, 2, 3, 2, 3, 4].entries()) book.take({ step, units: 10 }, at);
    expect(book.units).toBe(40);
    expect(book.step).toBe(4);
    expect(told).toHaveLength(6);
    expect(told[3]).toEqual({ kind: "step", generation: 1, step: 2, units: 10, atUs: 3 });
  });

  it("takes back what a restore goes behind", () => {
    const { book } = open();
    for (const step of [1, 2, 3]) book.take({ step }, step);
    book.take({ restore: { tag: "a", step: 1, phase: "done" } }, 4);
    expect([book.step, book.units]).toEqual([1, 1]);
    book.take({ restore: { tag: "a", step: 0, phase: "refused" } }, 5);
    expect(book.step).toBe(1);
  });

  it("sees whether what was loaded is what was saved", () => {
    const { book } = open();
    const checkpoint = { tag: "a", step: 1, phase: "committed", digest: "x" } as const;
    const restore = { tag: "a", step: 1, phase: "done" } as const;
    book.take({ checkpoint }, 1);
    book.take({ restore: { ...restore, digest: "x" } }, 2);
    book.take({ restore: { ...restore, digest: "y" } }, 3);
    book.take({ restore }, 4);
    const [, same, other, unknown] = book.events;
    expect(same).toMatchObject({ sameAsSaved: true });
    expect(other).toMatchObject({ sameAsSaved: false, falseAccept: true });
    expect(unknown).not.toHaveProperty("sameAsSaved");
  });

  it("has the digest of the newest state alone", () => {
    const { book } = open();
    book.take({ step: 1, digest: "old" }, 1);
    book.take({ step: 2 }, 2);
    expect(book.digest).toBeNull();
    book.take({ finish: { digest: "end" } }, 3);
    expect(book.digest).toBe("end");
  });

  it("keeps in any order of steps exactly one of each, and none beyond the last", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }), (steps) => {
        const { book } = open();
        for (const [at, step] of steps.entries()) book.take({ step }, at);
        const last = steps.at(-1) ?? 0;
        const kept = new Set(
          steps.filter((step, at) => steps.slice(at + 1).every((later) => later > step)),
        );
        expect(book.step).toBe(last);
        expect(book.units).toBe(kept.size);
      }),
    );
  });
});
