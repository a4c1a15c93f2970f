import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { comparedWith } from "../../../../src/chaos/host/worker/compare-replicas.ts";
import { planRankOf, worldRankOf } from "../../../../src/chaos/host/worker/rank-order.ts";

const size = fc.integer({ min: 1, max: 4 });
const shapes = fc.record({ dp: size, tp: size, pp: size });

describe("the two orders of ranks", () => {
  it("lead back to each other, for every shape", () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const ranks = Array.from({ length: shape.dp * shape.tp * shape.pp }, (_, rank) => rank);
        expect(ranks.map((rank) => planRankOf(worldRankOf(rank, shape), shape))).toEqual(ranks);
        expect(ranks.map((rank) => worldRankOf(rank, shape)).toSorted((a, b) => a - b)).toEqual(
          ranks,
        );
        expect(worldRankOf(0, shape)).toBe(0);
      }),
    );
  });

  it("put stages next to each other in a world, and columns in a plan", () => {
    const shape = { dp: 1, tp: 2, pp: 2 };
    expect([0, 1, 2, 3].map((rank) => worldRankOf(rank, shape))).toEqual([0, 2, 1, 3]);
  });
});

describe("a comparison of replicas", () => {
  const shape = { dp: 3, tp: 1, pp: 1 };

  it("is content when all hold the same", () => {
    expect(comparedWith(["a", "a", "a"], shape)).toBeNull();
  });

  it("suspects the minority", () => {
    expect(comparedWith(["a", "b", "a"], shape)).toMatchObject({
      cause: "comparison",
      suspects: [1],
    });
  });

  it("suspects nobody when no side is larger", () => {
    expect(comparedWith(["a", "b"], { dp: 2, tp: 1, pp: 1 })).toMatchObject({ suspects: [] });
  });

  it("lets ranks with other parts of the model hold something else", () => {
    const cut = { dp: 2, tp: 1, pp: 2 };
    expect(comparedWith(["a", "b", "a", "b"], cut)).toBeNull();
    expect(comparedWith(["a", "b", "a", "c"], cut)).toMatchObject({ cause: "comparison" });
  });
});
