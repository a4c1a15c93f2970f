import assert from "node:assert/strict";

const playersMax = 12;

/**
 * What each of a few causes is worth when they do not simply add up: its effect averaged over every
 * order in which they can be taken away (Shapley). The parts add up to value(none) - value(all).
 *
 * @param value of the outcome with a set of causes taken away, bit i standing for the i-th. Called
 * once for each set.
 */
export function shapley(players: number, value: (taken: number) => number): readonly number[] {
  assert(players >= 1 && players <= playersMax, `1 to ${playersMax} causes`);
  const sets = 2 ** players;
  const values = Array.from({ length: sets }, (_, taken) => value(taken));
  const chances = chancesBySize(players);
  return Array.from({ length: players }, (_, player) => {
    const bit = 1 << player;
    let sum = 0;
    for (let taken = 0; taken < sets; taken++) {
      if ((taken & bit) !== 0) continue;
      const effect = (values[taken] ?? 0) - (values[taken | bit] ?? 0);
      sum += (chances[bitsIn(taken)] ?? 0) * effect;
    }
    return sum;
  });
}

/** How likely exactly this set of a size stands before a player in a random order: s!(n-s-1)!/n!. */
function chancesBySize(players: number): readonly number[] {
  return Array.from({ length: players }, (_, size) => {
    let ways = 1;
    for (let at = 1; at <= size; at++) ways = (ways * (players - at)) / at;
    return 1 / (players * ways);
  });
}

function bitsIn(set: number): number {
  let count = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) count++;
  return count;
}
