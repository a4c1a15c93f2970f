import { type Chance, chanceOf } from "../../../support/checkpoint/chance.ts";
import { changeBytes, changeTokens, cut, flipBits } from "../../../support/checkpoint/mutations.ts";
import { drawFile } from "./drawn-file.ts";
import { fileOf } from "./file-of.ts";

/** A file that something may have happened to. */
export interface FuzzCase {
  readonly what: string;
  readonly file: Uint8Array;
}

const tokens = [
  ...['"dtype"', '"shape"', '"data_offsets"', '"__metadata__"', '"F32"', '"F4"', '"U8"', '"I64"'],
  ...['"f32"', '{"F32":null}'],
];
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
  ["bits flipped", (chance) => flipBits(drawnFile(chance), chance)],
  ["bits flipped", (chance) => flipBits(drawnFile(chance), chance)],
  ["cut short", (chance) => cut(drawnFile(chance), chance)],
  ["bytes changed", (chance) => drawnFile(chance, (text) => changeBytes(text, chance))],
  ["tokens changed", (chance) => drawnFile(chance, (text) => changeTokens(text, chance, tokens))],
  ["tokens changed", (chance) => drawnFile(chance, (text) => changeTokens(text, chance, tokens))],
  ["length changed", changeLength],
];

/** The case of this number: always the same one. */
export function fuzzCase(seed: number): FuzzCase {
  const chance = chanceOf(seed);
  const [what, make] = chance.pick(kinds);
  return { what: `${what}, case ${seed}`, file: make(chance) };
}

function drawnFile(
  chance: Chance,
  change: (text: string) => string | Uint8Array = (text) => text,
): Uint8Array {
  const { text, dataBytes } = drawFile(chance);
  return fileOf(change(text), dataBytes);
}

function changeLength(chance: Chance): Uint8Array {
  const file = Buffer.from(drawnFile(chance));
  const length = file.readBigUInt64LE();
  const near = BigInt.asUintN(64, length + BigInt(chance.below(7) - 3));
  file.writeBigUInt64LE(chance.once(2) ? near : chance.pick(strangeLengths));
  return file;
}
