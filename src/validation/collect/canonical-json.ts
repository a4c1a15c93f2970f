/** How deep a document may be nested; ours are far flatter. */
const depthMax = 32;

/** A document that is nested deeper than any of ours. */
export class TooDeepError extends Error {
  override readonly name = "TooDeepError";
  constructor() {
    super(`it is nested deeper than ${depthMax} levels`);
  }
}

/**
 * A JSON value as text that depends on its content alone: keys in the order of their code units, no
 * spaces. Two parties that parsed the same document get the same text.
 *
 * @throws TooDeepError
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (depth === depthMax) throw new TooDeepError();
  if (Array.isArray(value)) {
    return `[${value.map((item: unknown) => canonicalJson(item, depth + 1)).join(",")}]`;
  }
  const entries = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field, depth + 1)}`);
  return `{${entries.join(",")}}`;
}
