interface Part {
  readonly value: unknown;
  readonly key?: PropertyKey;
  readonly inside?: Part;
}

const nul = "\u0000";

/**
 * Where in a value of JSON the character NUL is, as keys from the outside to the inside; undefined where there is
 * none. PostgreSQL keeps it in no text. A key that holds it is told by the place of its object.
 */
export function pathOfNul(value: unknown): readonly PropertyKey[] | undefined {
  // Neither recursion nor a path for each part: how deep a body goes is up to whoever sends it.
  const waiting: Part[] = [{ value }];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const { value: inner } = part;
    if (typeof inner === "string" && inner.includes(nul)) return pathTo(part);
    if (typeof inner !== "object" || inner === null) continue;
    for (const [key, next] of Object.entries(inner)) {
      if (key.includes(nul)) return pathTo(part);
      waiting.push({
        value: next,
        key: Array.isArray(inner) ? Number(key) : key,
        inside: part,
      });
    }
  }
  return undefined;
}

function pathTo(part: Part): readonly PropertyKey[] {
  const path: PropertyKey[] = [];
  for (let at: Part | undefined = part; at?.key !== undefined; at = at.inside) path.push(at.key);
  return path.toReversed();
}
