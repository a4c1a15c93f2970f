import { fillText, type Json, type PlaceholderValues, soleName } from "./placeholders.ts";

/** Stands for "leave this entry out". */
const absent = Symbol("absent");

/** Below these, and as these, Kubernetes wants text whatever it looks like. */
const textMaps: ReadonlySet<string> = new Set([
  "labels",
  "annotations",
  "matchLabels",
  "nodeSelector",
]);
const textLists: ReadonlySet<string> = new Set(["values", "args", "command"]);

/**
 * Puts values in the place of placeholders, in the strings of a parsed tree, never in its text: no
 * value can change the tree's form. Where a string is a placeholder and nothing else, the value comes
 * as it is (a number, a list); in a list, a list's items; an entry without a value is left out.
 */
export function hydrate(tree: Json, values: PlaceholderValues): Json {
  const hydrated = hydrateValue(tree, values, []);
  return hydrated === absent ? null : hydrated;
}

function hydrateValue(
  value: Json,
  values: PlaceholderValues,
  path: readonly string[],
): Json | typeof absent {
  if (typeof value === "string") return hydrateText(value, values, path);
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return hydrateList(value, values, path);
  const entries: [string, Json][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const name = soleName(key);
    if (name !== undefined && values[name] === undefined) continue;
    const hydrated = hydrateValue(inner, values, [...path, key]);
    if (hydrated !== absent) entries.push([fillText(key, values), hydrated]);
  }
  return Object.fromEntries(entries);
}

function hydrateList(
  list: readonly Json[],
  values: PlaceholderValues,
  path: readonly string[],
): Json {
  return list.flatMap((item) => {
    const hydrated = hydrateValue(item, values, path);
    if (hydrated === absent) return [];
    const spliced = typeof item === "string" && soleName(item) !== undefined && isList(hydrated);
    return spliced ? hydrated : [hydrated];
  });
}

function hydrateText(
  text: string,
  values: PlaceholderValues,
  path: readonly string[],
): Json | typeof absent {
  const name = soleName(text);
  if (name === undefined) return fillText(text, values);
  const value = values[name];
  if (value === undefined) return absent;
  const scalar = typeof value === "number" || typeof value === "boolean";
  return scalar && wantsText(path) ? String(value) : value;
}

function wantsText(path: readonly string[]): boolean {
  const key = path.at(-1) ?? "";
  return key === "value" || textLists.has(key) || textMaps.has(path.at(-2) ?? "");
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}
