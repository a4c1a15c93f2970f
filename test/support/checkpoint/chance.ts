/** Fast repeatable chance for millions of cases: the same seed draws the same numbers. */
export interface Chance {
  /** A whole number from 0 to before `limit`. */
  below(limit: number): number;
  /** True once in `times`. */
  once(times: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

export function chanceOf(seed: number): Chance {
  let state = (seed + 1) * 0x9e3779b1;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return (bits ^ (bits >>> 14)) >>> 0;
  };
  const below = (limit: number) => next() % limit;
  return {
    below,
    once: (times) => below(times) === 0,
    pick: <Item>(items: readonly Item[]) => items[below(items.length)] as Item,
  };
}
