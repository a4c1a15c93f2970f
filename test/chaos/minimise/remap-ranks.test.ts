import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { remapFaults, sizeOf } from "../../../src/chaos/minimise/remap-ranks.ts";
import type { Target } from "../../../src/chaos/plan/index.ts";
import { restart, smallPlan } from "../journal/lib/small-plan.ts";

const size = fc.integer({ min: 1, max: 4 });
const shapes = fc.record({ dp: size, tp: size, pp: size });

describe("faults in a smaller mesh", () => {
  it("hit ranks that exist, and different ones where they did before", () => {
    fc.assert(
      fc.property(shapes, shapes, fc.array(fc.nat(), { maxLength: 4 }), (from, more, picks) => {
        const to = {
          dp: Math.min(from.dp, more.dp),
          tp: Math.min(from.tp, more.tp),
          pp: Math.min(from.pp, more.pp),
        };
        const ranks = [...new Set(picks.map((pick) => pick % sizeOf(from)))];
        const plan = smallPlan(ranks.map((rank, at) => restart(5, rank, `f${at}`)));
        const moved = remapFaults(plan, from, to);
        if (moved === null) return;
        const hit = moved.map(({ targets: [one] }) => (one?.kind === "rank" ? one.rank : -1));
        expect(hit.every((rank) => rank >= 0 && rank < sizeOf(to))).toBe(true);
        expect(new Set(hit).size).toBe(ranks.length);
      }),
    );
  });

  it("are none when there is no room for all of them", () => {
    const plan = smallPlan([0, 1, 2].map((rank) => restart(5, rank, `f${rank}`)));
    const [from, to] = [
      { dp: 4, tp: 1, pp: 1 },
      { dp: 2, tp: 1, pp: 1 },
    ];
    expect(remapFaults(plan, from, to)).toBeNull();
    expect(remapFaults(plan, from, { ...to, dp: 3 })).not.toBeNull();
  });

  it("leave rank 0 alone when nobody named it", () => {
    const plan = smallPlan([restart(5, 3)]);
    const moved = remapFaults(plan, { dp: 4, tp: 1, pp: 1 }, { dp: 2, tp: 1, pp: 1 });
    expect(moved?.[0]?.targets).toEqual([{ kind: "rank", rank: 1 }]);
  });

  it.each<[Target, Target]>([
    [
      { kind: "node", node: 1 },
      { kind: "node", node: 0 },
    ],
    [
      { kind: "link", from: 3, to: 0 },
      { kind: "link", from: 1, to: 0 },
    ],
    [
      { kind: "group", axis: "dp", ranks: [0, 1, 2, 3] },
      { kind: "group", axis: "dp", ranks: [0, 1] },
    ],
    [{ kind: "storage" }, { kind: "storage" }],
  ])("move %j", (target, expected) => {
    const plan = smallPlan([{ ...restart(5), targets: [target] }]);
    const moved = remapFaults(plan, { dp: 4, tp: 1, pp: 1 }, { dp: 2, tp: 1, pp: 1 });
    expect(moved?.[0]?.targets).toEqual([expected]);
  });

  it("move the shard that a fault spoils", () => {
    const torn = { ...restart(5, 3), params: { shard: 3, count: 1 } };
    const moved = remapFaults(smallPlan([torn]), { dp: 4, tp: 1, pp: 1 }, { dp: 2, tp: 1, pp: 1 });
    expect(moved?.[0]?.params).toEqual({ shard: 1, count: 1 });
  });
});
