import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Crew, type Group } from "../../../../src/chaos/sim/job/crew.ts";

const size = fc.integer({ min: 1, max: 4 });

function crewOf(shape: Crew["shape"]): Crew {
  let made = 0;
  return new Crew({
    generation: 1,
    attempt: 0,
    shape,
    bytes: { tp: 1, dp: 1, pp: 1 },
    newGroup: (make) => make(made++),
    newChannel: (make) => make(made++),
    leaveOut: (groups) => void (made += groups),
  });
}

describe("the groups of a crew", () => {
  it("have a place for each of their ranks, whatever the mesh", () => {
    fc.assert(
      fc.property(fc.record({ dp: size, tp: size, pp: size }), (shape) => {
        const { join, all, compare, tp, dp } = crewOf(shape);
        for (const group of [join, all, compare, ...tp, ...dp]) {
          const places = group.ranks.map((rank) => group.placeOf(rank));
          expect(places).toEqual(group.ranks.map((_, place) => place));
        }
      }),
    );
  });

  it("are found by each rank that is in them, and by no other", () => {
    fc.assert(
      fc.property(fc.record({ dp: size, tp: size, pp: size }), (shape) => {
        const crew = crewOf(shape);
        for (const rank of crew.all.ranks) {
          const isIn = (group: Group) => group.ranks.includes(rank);
          expect(crew.dp.filter(isIn)).toEqual([crew.dpOf(rank)]);
          expect(crew.tp.filter(isIn)).toEqual(shape.tp === 1 ? [] : [crew.tpOf(rank)]);
        }
      }),
    );
  });
});
