import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeVote, vote } from "../../../../src/validation/checks/dl-unit/vote.ts";

const answers = (...digests: readonly string[]) =>
  new Map(digests.map((digest, at) => [`gpu ${at}`, digest]));

describe("the vote over devices", () => {
  it("names the odd one of three and of eight", () => {
    expect(vote(answers("a", "b", "a"))).toMatchObject({ agreed: "a", odd: ["gpu 1"] });
    const eight = vote(answers("a", "a", "a", "b", "a", "a", "a", "a"));
    expect(eight).toMatchObject({ agreed: "a", odd: ["gpu 3"] });
    expect(describeVote(eight)).toBe("gpu 3 has other bits than the other 7 of 8");
  });

  it("names several odd ones, whether or not they agree with each other", () => {
    const eight = vote(answers("a", "b", "a", "c", "a", "a", "a", "b"));
    expect([...eight.odd].toSorted()).toEqual(["gpu 1", "gpu 3", "gpu 7"]);
    expect(describeVote(eight)).toContain("than the other 5 of 8");
  });

  it("cannot tell which of two is wrong, nor who is right at four against four", () => {
    const two = vote(answers("a", "b"));
    expect(two).toMatchObject({ agreed: undefined, odd: [] });
    expect(describeVote(two)).toBe(
      "gpu 0 against gpu 1: the bits differ and no majority says which are right",
    );
    const eight = vote(answers("a", "a", "a", "a", "b", "b", "b", "b"));
    expect(eight).toMatchObject({ agreed: undefined, odd: [] });
    expect(describeVote(eight)).toContain("gpu 0, gpu 1, gpu 2 and gpu 3 against gpu 4");
  });

  it("tells which of two is wrong when its answer is wrong by itself", () => {
    const two = vote(answers("a", "b"));
    expect(describeVote(two, new Set(["gpu 1"]))).toBe(
      "the bits of gpu 1 differ from those of gpu 0, and are wrong by themselves",
    );
    expect(describeVote(two, new Set(["gpu 0", "gpu 1"]))).toContain("no majority");
  });

  it("has nothing to say when all agree, or when there is one", () => {
    expect(describeVote(vote(answers("a", "a", "a")))).toBeUndefined();
    expect(describeVote(vote(answers("a")))).toBeUndefined();
    expect(vote(answers("a"))).toMatchObject({ agreed: "a", odd: [] });
    expect(vote(answers())).toMatchObject({ agreed: undefined, odd: [] });
  });

  it("never calls anyone odd who is with more than half", () => {
    const digests = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 16 });
    fc.assert(
      fc.property(digests, (given) => {
        const { agreed, odd, groups } = vote(answers(...given));
        const largest = Math.max(...groups.map(({ devices }) => devices.length));
        expect(agreed === undefined).toBe(2 * largest <= given.length);
        if (agreed !== undefined) {
          expect(odd.length).toBe(given.filter((digest) => digest !== agreed).length);
        }
      }),
    );
  });
});
