import { bitsOf, decodeInto, type RawArray } from "../../tensor/dtype/index.ts";
import { piecesOf, sameRaw } from "./readers.ts";
import type { Section } from "./sections.ts";
import { bitsIn, type ElementBits, type OrderedDType, ulpsOfBits, type Words } from "./ulp.ts";

/** A differing element, as it is kept for the report. */
export interface KeptDifference {
  readonly section: Section;
  readonly flat: number;
  readonly a: ElementBits;
  readonly b: ElementBits;
}

/** What a walk through two tensors found. */
export interface Found {
  elements: number;
  differing: number;
  /** The first ones in the order of elements, at most 65,536. */
  readonly kept: KeptDifference[];
  maxUlps: number | null;
  maxAbs: number | null;
  maxRel: number | null;
  readonly flippedBits: number[];
}

const keptMax = 65_536;

/** Compares every copy of every element, and counts. */
export function findDifferences(
  sections: readonly Section[],
  { dtype, bits }: { readonly dtype: OrderedDType; readonly bits: number },
): Found {
  const found: Found = {
    elements: 0,
    differing: 0,
    kept: [],
    maxUlps: null,
    maxAbs: null,
    maxRel: null,
    flippedBits: new Array<number>(bits).fill(0),
  };
  for (const section of sections) walk(section, dtype, found);
  return found;
}

function walk(section: Section, dtype: OrderedDType, found: Found): void {
  const ofA = section.a.versions.length;
  for (const { start, count, raws } of piecesOf([...section.a.versions, ...section.b.versions])) {
    const [first, ...others] = raws as [RawArray, ...RawArray[]];
    found.elements += count;
    if (others.every((other) => sameRaw(first, other, count))) continue;
    const words = raws.map(bitsOf);
    const perElement = first instanceof Float64Array ? 2 : 1;
    for (let at = 0; at < count; at++) {
      if (isSameEverywhere(words, at * perElement, perElement)) continue;
      const pair = differingPair(words, ofA, { at, perElement });
      if (pair !== undefined) note({ section, flat: start + at, ...pair }, dtype, found);
    }
  }
}

/** True when all have the same words here. Most elements end here, so that it makes no objects. */
function isSameEverywhere(words: readonly Words[], start: number, count: number): boolean {
  const first = words[0] as Words;
  for (let at = start; at < start + count; at++) {
    for (let other = 1; other < words.length; other++) {
      if (words[other]?.[at] !== first[at]) return false;
    }
  }
  return true;
}

/** A copy of each side, where not all copies have the same bits: the first of both if these differ. */
function differingPair(
  words: readonly Words[],
  ofA: number,
  place: { readonly at: number; readonly perElement: 1 | 2 },
) {
  const a = bitsIn(words[0] as Words, place);
  const b = bitsIn(words[ofA] as Words, place);
  if (!isSame(a, b)) return { a, b };
  // Then the odd one is another copy of one side, and differs from the first of the other.
  const all = words.map((one) => bitsIn(one, place));
  const odd = all.findIndex((bits) => !isSame(bits, a));
  if (odd === -1) return undefined;
  const other = all[odd] as ElementBits;
  return odd < ofA ? { a: other, b } : { a, b: other };
}

function isSame(one: ElementBits, other: ElementBits): boolean {
  return one.low === other.low && one.high === other.high;
}

function note(difference: KeptDifference, dtype: OrderedDType, found: Found): void {
  const { a, b } = difference;
  found.differing++;
  if (found.kept.length < keptMax) found.kept.push(difference);
  countBits(found.flippedBits, a.low ^ b.low, 0);
  countBits(found.flippedBits, a.high ^ b.high, 32);
  found.maxUlps = larger(found.maxUlps, ulpsOfBits(dtype, a, b));
  const [one, other] = [valueOf(dtype, a), valueOf(dtype, b)];
  const abs = Math.abs(one - other);
  found.maxAbs = larger(found.maxAbs, abs);
  if (abs > 0) found.maxRel = larger(found.maxRel, relativeTo(abs, one, other));
}

/** The share of the larger magnitude; 1 beside an infinity. */
export function relativeTo(abs: number, one: number, other: number): number {
  return abs === Number.POSITIVE_INFINITY ? 1 : abs / Math.max(Math.abs(one), Math.abs(other));
}

/** Numbers of the bits that differ, from the lowest. */
export function flippedBitsOf(a: ElementBits, b: ElementBits): readonly number[] {
  const counts = new Array<number>(64).fill(0);
  countBits(counts, a.low ^ b.low, 0);
  countBits(counts, a.high ^ b.high, 32);
  return counts.flatMap((count, bit) => (count > 0 ? [bit] : []));
}

/** Adds one for each bit that is set: the lowest, and then the next. */
function countBits(counts: number[], word: number, from: 0 | 32): void {
  for (let rest = word; rest !== 0; rest &= rest - 1) {
    const bit = from + 31 - Math.clz32(rest & -rest);
    counts[bit] = (counts[bit] as number) + 1;
  }
}

const scratch = new DataView(new ArrayBuffer(8));
const decoded = new Float64Array(1);

/** The number that these bits are. */
export function valueOf(dtype: OrderedDType, { low, high }: ElementBits): number {
  switch (dtype) {
    case "f64":
      scratch.setUint32(0, high);
      scratch.setUint32(4, low);
      return scratch.getFloat64(0);
    case "f32":
      scratch.setUint32(0, low);
      return scratch.getFloat32(0);
    case "i32":
      return low | 0;
    case "u8":
      return low;
    case "i8":
      return (low << 24) >> 24;
    default:
      decodeInto(dtype, smallRaw(dtype, low), 0, 1, decoded);
      return decoded[0] as number;
  }
}

/** `0x3f800000`. */
export function hexOf({ low, high }: ElementBits, bits: number): string {
  const digits = low.toString(16).padStart(Math.min(bits, 32) / 4, "0");
  return bits === 64 ? `0x${high.toString(16).padStart(8, "0")}${digits}` : `0x${digits}`;
}

function smallRaw(dtype: "f16" | "bf16" | "e4m3" | "e5m2", bits: number): RawArray {
  return dtype === "f16" || dtype === "bf16" ? Uint16Array.of(bits) : Uint8Array.of(bits);
}

function larger(one: number | null, other: number | null): number | null {
  if (other === null || Number.isNaN(other)) return one;
  return one === null ? other : Math.max(one, other);
}
