/** A string in a text of bytes: where it ends, and whether it holds escapes. */
export interface JsonString {
  /** The byte after the closing quote; where the problem is, when there is one. */
  readonly end: number;
  readonly hasEscapes: boolean;
  readonly problem?: string;
}

const quote = 0x22;
const backslash = 0x5c;
const firstPrintable = 0x20;

// What may follow a backslash, but for u.
const plainEscapes: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));

/** Reads the string whose opening quote is at `start`, of bytes that are valid UTF-8. */
export function scanString(bytes: Uint8Array, start: number, limit: number): JsonString {
  let hasEscapes = false;
  let at = start + 1;
  while (at < limit) {
    const byte = bytes[at] as number;
    if (byte === quote) return { end: at + 1, hasEscapes };
    if (byte < firstPrintable) return broken(at, "a control character stands in a string");
    if (byte !== backslash) {
      at++;
      continue;
    }
    hasEscapes = true;
    const end = escapeEnd(bytes, at, limit);
    if (end === undefined) return broken(at, "a string has an escape that JSON does not know");
    at = end;
  }
  return broken(limit, "a string does not end");
}

/** Its text; `end` and `hasEscapes` are what `scanString` found. */
export function textOf(bytes: Buffer, start: number, { end, hasEscapes }: JsonString): string {
  // What was scanned is sound JSON, so that the engine's own decoder reads the same of it.
  if (hasEscapes) return JSON.parse(bytes.toString("utf8", start, end)) as string;
  return bytes.toString("utf8", start + 1, end - 1);
}

/** Where the escape that begins at `at` ends; undefined when it is none. */
function escapeEnd(bytes: Uint8Array, at: number, limit: number): number | undefined {
  const kind = bytes[at + 1];
  if (at + 1 >= limit || kind === undefined) return undefined;
  if (plainEscapes.has(kind)) return at + 2;
  const unit = unicodeEscape(bytes, at, limit);
  // A second half of a surrogate pair cannot stand alone, nor a first one.
  if (unit === undefined || (unit >= 0xdc00 && unit <= 0xdfff)) return undefined;
  if (unit < 0xd800 || unit > 0xdbff) return at + 6;
  const second = unicodeEscape(bytes, at + 6, limit);
  return second !== undefined && second >= 0xdc00 && second <= 0xdfff ? at + 12 : undefined;
}

function unicodeEscape(bytes: Uint8Array, at: number, limit: number): number | undefined {
  if (at + 6 > limit || bytes[at] !== backslash || bytes[at + 1] !== 0x75) return undefined;
  let unit = 0;
  for (let digit = at + 2; digit < at + 6; digit++) {
    const value = hexValue(bytes[digit] as number);
    if (value === undefined) return undefined;
    unit = unit * 16 + value;
  }
  return unit;
}

function hexValue(byte: number): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : undefined;
}

function broken(end: number, problem: string): JsonString {
  return { end, hasEscapes: false, problem };
}
