/** The deepest that records and lists of a state may be nested. */
export const depthMax = 64;
/** Leaves of one state. */
export const leavesMax = 1_000_000;
/** Of the name of a tensor: what a manifest can hold, with the place of a chunk after it. */
export const nameCharactersMax = 32_768;
/** Of a bigint with its sign: reading one takes more time than in proportion to its length. */
export const bigintCharactersMax = 65_536;

/**
 * The name of what a key leads to: `model` and `w1` give `model/w1`. A `/` in a key is written `~1` and
 * a `~` is written `~0`, so that no two leaves have the same name.
 */
export function joinPath(above: string | undefined, key: string | number): string {
  const written =
    typeof key === "number" ? String(key) : key.replaceAll("~", "~0").replaceAll("/", "~1");
  return above === undefined ? written : `${above}/${written}`;
}

/** Sets a key as data, also one that means something to JavaScript: `__proto__`. */
export function setOwn(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") {
    record[key] = value;
    return;
  }
  const plain = { value, enumerable: true, configurable: true, writable: true };
  Object.defineProperty(record, key, plain);
}
