import assert from "node:assert/strict";
import type { World } from "../../ranks/index.ts";

/**
 * Some ranks of a world, seen by one of them, as a world of their own for collectives between them:
 * its rank n is the n-th of `members`. It counts its own operations, as ranks of other groups have
 * done more or fewer, and ends with the world it is of.
 */
export function groupWorld(world: World, members: readonly number[]): World {
  const rank = members.indexOf(world.rank);
  assert(rank >= 0, "a rank sees only groups that it is in");
  const memberAt = (index: number): number => {
    const member = members[index];
    assert(member !== undefined, "a member of the group");
    return member;
  };
  let operation = 0;
  return {
    rank,
    worldSize: members.length,
    peers: members.map((member) => world.peers[member] ?? ""),
    signal: world.signal,
    links: {
      receiveFrom: (from) => world.links.receiveFrom(memberAt(from)),
      sendTo: (to) => world.links.sendTo(memberAt(to)),
    },
    begin: (what) => {
      world.begin(what);
      operation += 1;
      return operation;
    },
    stalled: (problem) => world.stalled(problem),
    abort: (problem, index = rank) => world.abort(problem, memberAt(index)),
    // All ranks of the world meet, or none.
    barrier: () => Promise.reject(meetsNot()),
    gather: () => Promise.reject(meetsNot()),
    broadcast: () => Promise.reject(meetsNot()),
    leave: () => Promise.reject(meetsNot()),
  };
}

function meetsNot(): Error {
  return new assert.AssertionError({ message: "a group meets in its world, and leaves with it" });
}
