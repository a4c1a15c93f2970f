import { formatBytes } from "../../../platform/units/index.ts";
import type { Refuse } from "./refuse.ts";
import { parseStrictJson, StrictJsonError } from "./strict-json.ts";

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
export function requireCanonical(bytes: Uint8Array, wanted: Uint8Array, refuse: Refuse): void {
  if (Buffer.compare(bytes, wanted) === 0) return;
  const at = bytes.findIndex((byte, index) => byte !== wanted[index]);
  refuse(
    "canonical",
    `it is not written as we write it, from byte ${at === -1 ? bytes.length : at}`,
  );
}
