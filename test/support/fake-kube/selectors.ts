import type { StoredObject } from "./store.ts";

/** Whether an object is what a request asks for: its namespace, `labelSelector`, `fieldSelector`. */
export function selects(
  object: StoredObject,
  namespace: string | undefined,
  query: URLSearchParams,
): boolean {
  if (namespace !== undefined && object.metadata.namespace !== namespace) return false;
  const labels = object.metadata.labels ?? {};
  return (
    terms(query.get("labelSelector")).every((term) => labelHolds(labels, term)) &&
    terms(query.get("fieldSelector")).every((term) => fieldHolds(object, term))
  );
}

/** Commas inside brackets belong to their term. */
function terms(text: string | null): string[] {
  return (text ?? "")
    .split(/,(?![^(]*\))/)
    .map((term) => term.trim())
    .filter((term) => term !== "");
}

function labelHolds(labels: Readonly<Record<string, string>>, term: string): boolean {
  const set = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(term);
  if (set !== null) {
    const [, key = "", word, list = ""] = set;
    const values = list.split(",").map((value) => value.trim());
    const has = labels[key] !== undefined && values.includes(labels[key]);
    return word === "in" ? has : !has;
  }
  if (term.startsWith("!")) return labels[term.slice(1)] === undefined;
  const [, key = "", sign, value = ""] = /^([^=!]+)(==|=|!=)?(.*)$/.exec(term) ?? [];
  if (sign === undefined) return labels[key] !== undefined;
  return sign === "!=" ? labels[key] !== value : labels[key] === value;
}

function fieldHolds(object: StoredObject, term: string): boolean {
  const [, path = "", sign = "=", value = ""] = /^([^=!]+)(==|=|!=)(.*)$/.exec(term) ?? [];
  const found = path
    .split(".")
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], object);
  const text = typeof found === "string" ? found : found === undefined ? "" : JSON.stringify(found);
  const equal = text === value;
  return sign === "!=" ? !equal : equal;
}
