import assert from "node:assert/strict";
import type { Endpoint, LinkScope } from "./network.ts";

/** Whether a scope has the link from one end to another. */
export type LinkMatch = (from: Endpoint, to: Endpoint) => boolean;

/** Looks a scope up once, so that asking about a link is cheap. */
export function matcherOf(scope: LinkScope, slots: number): LinkMatch {
  const controller = slots;
  const assertEnds = (ends: readonly Endpoint[]) => {
    const areEnds = ends.every((end) => Number.isInteger(end) && end >= 0 && end <= controller);
    assert(areEnds, "an end is a slot of the fleet or the controller");
  };
  switch (scope.kind) {
    case "between": {
      scope.sides.forEach(assertEnds);
      const sideOf = sidesOf(scope.sides, controller);
      const isForward = scope.direction === "forward";
      return (from, to) => {
        const [one, other] = [sideOf[from] as number, sideOf[to] as number];
        return isForward ? one < other : one !== other;
      };
    }
    case "link":
      assertEnds([scope.from, scope.to]);
      return (from, to) => from === scope.from && to === scope.to;
    case "touching": {
      assertEnds(scope.ends);
      const isIn = membersOf(scope.ends, controller);
      return (from, to) => isIn[from] === 1 || isIn[to] === 1;
    }
    case "inside": {
      assertEnds(scope.ends);
      const isIn = membersOf(scope.ends, controller);
      return (from, to) => isIn[from] === 1 && isIn[to] === 1;
    }
  }
}

/** The number of each end's side; who is on none is on one more. */
function sidesOf(sides: readonly (readonly Endpoint[])[], controller: Endpoint): Int32Array {
  const sideOf = new Int32Array(controller + 1).fill(sides.length);
  for (const [side, ends] of sides.entries()) {
    for (const end of ends) sideOf[end] = side;
  }
  const isNamed = sides.some((ends) => ends.includes(controller));
  // The coordinator of a job lives beside its first rank.
  if (!isNamed) sideOf[controller] = sideOf[0] as number;
  return sideOf;
}

function membersOf(ends: readonly Endpoint[], controller: Endpoint): Uint8Array {
  const isIn = new Uint8Array(controller + 1);
  for (const end of ends) isIn[end] = 1;
  return isIn;
}

/** `links between {0 1} and {2 3}`, for people. */
export function describeScope(scope: LinkScope): string {
  switch (scope.kind) {
    case "between": {
      const sides = scope.sides.map((ends) => list(ends)).join(" and ");
      return `links ${scope.direction === "forward" ? "forward " : ""}between ${sides}`;
    }
    case "link":
      return `the link from ${scope.from} to ${scope.to}`;
    case "touching":
      return `links of ${list(scope.ends)}`;
    case "inside":
      return `links among ${list(scope.ends)}`;
  }
}

const endsShown = 8;

function list(ends: readonly Endpoint[]): string {
  const more = ends.length > endsShown ? ` and ${ends.length - endsShown} more` : "";
  return `{${ends.slice(0, endsShown).join(" ")}${more}}`;
}
