import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JobEvent } from "../../../src/chaos/record/index.ts";
import { findLivelocks } from "../../../src/chaos/waits/index.ts";

/** `g`: a generation, a number: a step, `x`: the job gives up, `r`: a restore. One second apart. */
function job(words: string): readonly JobEvent[] {
  return words.split(" ").map((word, index): JobEvent => {
    const atUs = index * 1_000_000;
    if (word === "g")
      return { kind: "generation", atUs, generation: index + 1, ranks: 2, dp: 2, reason: "" };
    if (word === "x") return { kind: "give-up", atUs, reason: "" };
    if (word === "r") return { kind: "restore", phase: "begun", tag: null, step: 0, atUs };
    return { kind: "step", atUs, generation: 1, step: Number(word), units: 1 };
  });
}

describe("a job that is busy with itself", () => {
  it.each([
    ["three generations without a step", "g g g g", [3]],
    ["three that only do old steps again", "g 1 2 g 1 g 1 2 g 1 g", [10]],
    ["three, the last of which gives up", "g 1 g g g x", [5]],
    ["two such stretches", "g g g g 1 g g g g", [3, 8]],
  ])("is seen after %s", (_, words, at) => {
    expect(findLivelocks(job(words)).map(({ atUs }) => atUs / 1e6)).toEqual(at);
  });

  it.each([
    ["two generations without a step", "g g g 1"],
    ["a step that is new in each", "g 1 g 1 2 g 2 3 g 3 4 g"],
    ["one new step among many restarts", "g g g 1 g g 2 g g 3"],
    ["a generation that has not ended", "g g g"],
  ])("is not seen with %s", (_, words) => {
    expect(findLivelocks(job(words))).toEqual([]);
  });

  it("is seen when a window passes without a new step, where one is asked for", () => {
    const [found] = findLivelocks(job("g 1 r r r r"), { windowUs: 3_000_000 });
    expect(found).toEqual({ atUs: 4e6, sinceUs: 1e6, reason: "busy for 3 s without a new step" });
    expect(findLivelocks(job("g 1 r r r r"))).toEqual([]);
    expect(findLivelocks(job("g 1 r 2 r 3 r"), { windowUs: 3_000_000 })).toEqual([]);
  });

  it("is never seen in a job whose every generation does a new step", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), (steps) => {
        let step = 0;
        const words = steps.flatMap((count) => [
          "g",
          ...Array.from({ length: count }, () => String(++step)),
        ]);
        expect(findLivelocks(job(words.join(" ")))).toEqual([]);
      }),
    );
  });
});
