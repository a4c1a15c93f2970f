import { formatQuantity } from "../plots/index.ts";
import type { Fact } from "./report.ts";

// Escape sequences of terminals: colours, cursor moves, titles. The last part catches those that
// end nowhere.
const escapeSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what we look for
  /[\u001b\u009b](?:\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[[()#;?]*(?:\d{1,4}(?:;\d{0,4})*)?[\dA-PR-TZcf-nq-uy=><~])/g;

/** Text without terminal escape sequences; other control characters are left as they are. */
export function withoutEscapes(text: string): string {
  return text.replace(escapeSequence, "");
}

/** A fact's value for people: `4 KiB`, `478 GB/s`, `580.65.06`. */
export function factText({ value, unit }: Fact): string {
  if (typeof value === "number") return formatQuantity(value, unit);
  return unit === "" ? value : `${value} ${unit}`;
}

/** A point in time as ISO 8601 in UTC, to the second. */
export function timestamp(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, "Z");
}

/** The beginning and the end of a text that is too long, with a note in between. */
export function clipMiddle(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const half = Math.floor(charsMax / 2);
  const left = text.length - 2 * half;
  return `${text.slice(0, half)}\n[${left} characters left out]\n${text.slice(-half)}`;
}
