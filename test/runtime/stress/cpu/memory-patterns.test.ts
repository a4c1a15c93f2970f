import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createPatternWalker,
  patternCount,
  patternOf,
} from "../../../../src/runtime/stress/cpu/memory-patterns.ts";

const walker = createPatternWalker();
const anyPass = fc.integer({ min: 0, max: 40 });
// Beyond one tile, and not a multiple of it.
const wordCount = 40_000;

describe("patterns in memory", () => {
  it("are found again where they were written", () => {
    fc.assert(
      fc.property(anyPass, fc.integer({ min: 0, max: 1e9 }), (pass, start) => {
        const words = new Uint32Array(wordCount);
        walker.write(words, patternOf(pass), start);
        expect(walker.verify(words, patternOf(pass), start)).toEqual({ wrong: 0 });
      }),
      { numRuns: 30 },
    );
  });

  it("name the first wrong word, what it is and what it should be", () => {
    fc.assert(
      fc.property(
        anyPass,
        fc.integer({ min: 0, max: wordCount - 1 }),
        fc.integer({ min: 0, max: 31 }),
        (pass, at, bit) => {
          const words = new Uint32Array(wordCount);
          walker.write(words, patternOf(pass), 1000);
          const expected = words[at] as number;
          words[at] = expected ^ (1 << bit);
          const found = words[at];
          const first = { place: 1000 + at, found, expected };
          expect(walker.verify(words, patternOf(pass), 1000)).toEqual({ wrong: 1, first });
        },
      ),
      { numRuns: 30 },
    );
  });

  it("differ from pass to pass, so that memory that does not change is found", () => {
    for (let pass = 0; pass < 2 * patternCount; pass++) {
      const words = new Uint32Array(64);
      walker.write(words, patternOf(pass), 7);
      expect(walker.verify(words, patternOf(pass + 1), 7).wrong).toBeGreaterThan(60);
    }
  });

  it("are other random words in every round", () => {
    const random = patternCount - 1;
    const words = new Uint32Array(64);
    walker.write(words, patternOf(random), 0);
    expect(walker.verify(words, patternOf(random + patternCount), 0).wrong).toBe(64);
  });

  it("find words that lie one place further with addresses", () => {
    const words = new Uint32Array(64);
    walker.write(words, patternOf(patternCount - 2), 0);
    expect(walker.verify(words, patternOf(patternCount - 2), 1).wrong).toBe(64);
  });
});
