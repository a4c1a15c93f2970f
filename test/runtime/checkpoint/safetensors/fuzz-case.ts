import { type Chance, chanceOf } from "./chance.ts";
import { drawFile } from "./drawn-file.ts";
import { fileOf } from "./file-of.ts";

/** A file that something may have happened to. */
export interface FuzzCase {
  readonly what: string;
  readonly file: Uint8Array;
}

const repeatedText = [
  "[".repeat(124),
  "[".repeat(130),
  '{"a":'.repeat(200),
  `${"[".repeat(125)}${"]".repeat(125)}`,
  `${"[".repeat(126)}${"]".repeat(126)}`,
  "1".repeat(400),
  `0.${"1".repeat(400)}`,
];
const tokens = [
  ...["{", "}", "[", "]", ",", ":"],
  ...["0", "1", "-0", "-1", "1.0", "01", "1.", "1e5", "1e", "1e309", "17976931348623157e292"],
  ...["18446744073709551615", "18446744073709551616", "9007199254740993", "4294967296"],
  ...["null", "true", "false", "nul", "NaN", "/**/", "\ufeff", "\0", "\f", " ", "\n"],
  ...['""', '"a"', '"w"', '"dtype"', '"shape"', '"data_offsets"', '"__metadata__"', '"F32"'],
  ...['"F4"', '"U8"', '"I64"', '"f32"', '"\\ud800"', '"\\udc00"', '"\\ud83d\\ude00"', '"\\x"'],
  ...['"', '"\n"', '"\\', '"\\u00', "[]", "{}", "[0,0]", "[0]", '{"F32":null}'],
  ...repeatedText,
];
const strangeBytes = [0x00, 0x0a, 0x22, 0x2c, 0x2d, 0x30, 0x39, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d, 0x80];
const badUtf8 = ["ff", "c0af", "eda080", "f4908080", "e282", "80"].map((hex) =>
  Buffer.from(hex, "hex"),
);
const strangeLengths = [
  0n,
  1n,
  7n,
  99_999_999n,
  100_000_000n,
  100_000_001n,
  2n ** 53n,
  2n ** 64n - 1n,
];

const kinds: readonly (readonly [string, (chance: Chance) => Uint8Array])[] = [
  ["as drawn", drawnFile],
  ["as drawn", drawnFile],
  ["as drawn", drawnFile],
  ["bits flipped", flipBits],
  ["bits flipped", flipBits],
  ["cut short", (chance) => cut(drawnFile(chance), chance)],
  ["bytes changed", changeBytes],
  ["tokens changed", changeTokens],
  ["tokens changed", changeTokens],
  ["length changed", changeLength],
];

/** The case of this number: always the same one. */
export function fuzzCase(seed: number): FuzzCase {
  const chance = chanceOf(seed);
  const [what, make] = chance.pick(kinds);
  return { what: `${what}, case ${seed}`, file: make(chance) };
}

function drawnFile(chance: Chance): Uint8Array {
  const { text, dataBytes } = drawFile(chance);
  return fileOf(text, dataBytes);
}

function flipBits(chance: Chance): Uint8Array {
  const file = drawnFile(chance);
  for (let count = 1 + chance.below(3); count > 0; count--) {
    const at = chance.below(file.length);
    file[at] = (file[at] as number) ^ (1 << chance.below(8));
  }
  return file;
}

function cut(file: Uint8Array, chance: Chance): Uint8Array {
  return file.subarray(0, chance.below(file.length + 1));
}

function changeBytes(chance: Chance): Uint8Array {
  const { text, dataBytes } = drawFile(chance);
  const bytes = Buffer.from(text);
  const at = chance.below(bytes.length + 1);
  const given = chance.once(4) ? chance.pick(badUtf8) : Buffer.of(chance.pick(strangeBytes));
  const replaced = chance.below(3);
  const parts = [bytes.subarray(0, at), given, bytes.subarray(at + replaced)];
  return fileOf(
    Buffer.concat(chance.once(4) ? [parts[0] as Buffer, parts[2] as Buffer] : parts),
    dataBytes,
  );
}

/** Deletes, doubles, swaps and replaces whole tokens, so that much of what is made is JSON still. */
function changeTokens(chance: Chance): Uint8Array {
  const { text, dataBytes } = drawFile(chance);
  const parts = text.match(/"(?:[^"\\]|\\.)*"|[-+.\w]+|\s+|./gsu) ?? [];
  for (let count = 1 + chance.below(2); count > 0; count--) {
    const at = chance.below(parts.length);
    const from = chance.below(parts.length);
    const run = parts.slice(from, from + 1 + chance.below(12));
    const way = chance.below(8);
    if (way === 0) parts.splice(at, 1);
    else if (way <= 2) parts.splice(at, 0, ...run);
    else if (way === 3) parts.splice(at, 1, parts[from] ?? "");
    else parts.splice(at, chance.below(2), chance.pick(tokens));
  }
  return fileOf(parts.join(""), dataBytes);
}

function changeLength(chance: Chance): Uint8Array {
  const file = Buffer.from(drawnFile(chance));
  const length = file.readBigUInt64LE();
  const near = BigInt.asUintN(64, length + BigInt(chance.below(7) - 3));
  file.writeBigUInt64LE(chance.once(2) ? near : chance.pick(strangeLengths));
  return file;
}
