import { formatBytes } from "../../../platform/units/index.ts";
import { firstDifference, parseStrictJson, StrictJsonError } from "../json/index.ts";
import type { Refuse } from "./refuse.ts";

/** The document in a file, its duplicate keys and inexact numbers refused. */
export function readJson(bytes: Uint8Array, bytesMax: number, refuse: Refuse): unknown {
  if (bytes.length > bytesMax) refuse("size", `it is larger than ${formatBytes(bytesMax)}`);
  try {
    return parseStrictJson(bytes);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return refuse(error.rule, error.message);
  }
}

/** There is one way to write a document: a file that says the same otherwise is not ours. */
export function requireCanonical(
  bytes: Uint8Array,
  document: object,
  { indent, refuse }: { readonly indent: number; readonly refuse: Refuse },
): void {
  const at = firstDifference(bytes, document, { indent });
  if (at !== undefined) refuse("canonical", `it is not written as we write it, from byte ${at}`);
}
