const factsMax = 200;
const depthMax = 6;
const textMax = 400;

/** A tree of facts as lines: `gpu.name`, `H100`. */
export function factLines(facts: unknown): readonly (readonly [name: string, value: string])[] {
  const lines: (readonly [string, string])[] = [];
  walk("", facts, { lines, depth: 0 });
  return lines;
}

function walk(
  name: string,
  value: unknown,
  into: { readonly lines: (readonly [string, string])[]; readonly depth: number },
): void {
  if (into.lines.length >= factsMax) return;
  const isPlain = typeof value !== "object" || value === null || isFlat(value);
  if (isPlain || into.depth >= depthMax) {
    into.lines.push([name, textOf(value)]);
    return;
  }
  for (const [key, part] of Object.entries(value)) {
    walk(name === "" ? key : `${name}.${key}`, part, { ...into, depth: into.depth + 1 });
  }
}

/** A list of plain values is one line. */
function isFlat(value: object): boolean {
  return Array.isArray(value) && value.every((part) => typeof part !== "object" || part === null);
}

function textOf(value: unknown): string {
  const text = Array.isArray(value)
    ? value.map(String).join(", ")
    : typeof value === "string"
      ? value
      : (JSON.stringify(value) ?? "");
  return text.length > textMax ? `${text.slice(0, textMax)} …` : text;
}
