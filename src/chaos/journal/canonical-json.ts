import assert from "node:assert/strict";
import { createHash } from "node:crypto";

const depthMax = 64;

/** JSON whose bytes follow from the value alone: names in the order of their code units, no blanks. */
export function canonicalJson(value: unknown, depth = 0): string {
  assert(depth < depthMax, `what is written as JSON is at most ${depthMax} deep`);
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonicalJson(item ?? null, depth + 1)).join(",")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value)
      .filter(([, below]) => below !== undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, below]) => `${JSON.stringify(name)}:${canonicalJson(below, depth + 1)}`);
    return `{${fields.join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

/** `sha256:` and the digest of a value's canonical JSON. */
export function hashOf(value: unknown): string {
  return `sha256:${sha256(canonicalJson(value))}`;
}

/** Hexadecimal, of text as UTF-8. */
export function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
