import type { Chance } from "./chance.ts";

const repeatedText = [
  "[".repeat(124),
  "[".repeat(130),
  '{"a":'.repeat(200),
  `${"[".repeat(125)}${"]".repeat(125)}`,
  `${"[".repeat(126)}${"]".repeat(126)}`,
  "1".repeat(400),
  `0.${"1".repeat(400)}`,
];
const strangeTokens = [
  ...["{", "}", "[", "]", ",", ":"],
  ...["0", "1", "-0", "-1", "1.0", "01", "1.", "1e5", "1e", "1e309", "17976931348623157e292"],
  ...["18446744073709551615", "18446744073709551616", "9007199254740993", "4294967296"],
  ...["null", "true", "false", "nul", "NaN", "/**/", "\ufeff", "\0", "\f", " ", "\n"],
  ...['""', '"a"', '"w"', '"\\ud800"', '"\\udc00"', '"\\ud83d\\ude00"', '"\\x"'],
  ...['"', '"\n"', '"\\', '"\\u00', "[]", "{}", "[0,0]", "[0]"],
  ...repeatedText,
];
const strangeBytes = [0x00, 0x0a, 0x22, 0x2c, 0x2d, 0x30, 0x39, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d, 0x80];
const badUtf8 = ["ff", "c0af", "eda080", "f4908080", "e282", "80"].map((hex) =>
  Buffer.from(hex, "hex"),
);

/** Flips one to three bits of a file, in place. */
export function flipBits(file: Uint8Array, chance: Chance): Uint8Array {
  for (let count = 1 + chance.below(3); count > 0; count--) {
    const at = chance.below(file.length);
    file[at] = (file[at] as number) ^ (1 << chance.below(8));
  }
  return file;
}

/** What is left of a file that was cut short anywhere. */
export function cut(file: Uint8Array, chance: Chance): Uint8Array {
  return file.subarray(0, chance.below(file.length + 1));
}

/** Adds, removes or replaces some bytes of a text, now and then by what is no UTF-8. */
export function changeBytes(text: string, chance: Chance): Uint8Array {
  const bytes = Buffer.from(text);
  const at = chance.below(bytes.length + 1);
  const given = chance.once(4) ? chance.pick(badUtf8) : Buffer.of(chance.pick(strangeBytes));
  const before = bytes.subarray(0, at);
  const after = bytes.subarray(at + chance.below(3));
  return Buffer.concat(chance.once(4) ? [before, after] : [before, given, after]);
}

/**
 * Deletes, doubles, swaps and replaces whole tokens of a JSON text, so that much of what is made is
 * JSON still.
 *
 * @param more tokens that mean something to the format
 */
export function changeTokens(text: string, chance: Chance, more: readonly string[]): string {
  const parts = text.match(/"(?:[^"\\]|\\.)*"|[-+.\w]+|\s+|./gsu) ?? [];
  for (let count = 1 + chance.below(2); count > 0; count--) {
    const at = chance.below(parts.length);
    const from = chance.below(parts.length);
    const run = parts.slice(from, from + 1 + chance.below(12));
    const way = chance.below(8);
    if (way === 0) parts.splice(at, 1);
    else if (way <= 2) parts.splice(at, 0, ...run);
    else if (way === 3) parts.splice(at, 1, parts[from] ?? "");
    else parts.splice(at, chance.below(2), chance.pick(chance.once(3) ? more : strangeTokens));
  }
  return parts.join("");
}
