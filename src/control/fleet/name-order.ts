const collator = new Intl.Collator("en", { numeric: true });

/** People's order of names: `node-9` before `node-10`. Never equal for different names. */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

/** Keeps the order of a fleet's names, which costs too much to find anew each time. */
export class NameOrder {
  #names: readonly string[] = [];
  #rank: ReadonlyMap<string, number> = new Map();

  /** Sorts things by their names. */
  sort<T>(things: readonly T[], nameOf: (thing: T) => string): readonly T[] {
    const isKnown =
      things.length === this.#names.length && things.every((one) => this.#rank.has(nameOf(one)));
    if (!isKnown) {
      this.#names = things.map(nameOf).toSorted(compareNames);
      this.#rank = new Map(this.#names.map((name, at) => [name, at]));
    }
    const sorted = new Array<T>(things.length);
    for (const thing of things) sorted[this.#rank.get(nameOf(thing)) ?? 0] = thing;
    return sorted;
  }
}
