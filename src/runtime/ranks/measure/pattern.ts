import type { WireDType } from "../ranks.ts";
import type { Block } from "./shapes.ts";
import { elementsOf, storedAs, valueOf, wireFormats } from "./wire-dtype.ts";

/**
 * The numbers that collectives are checked with: small and whole, so that a sum over all ranks is exact
 * in every dtype and order, and different by rank and place, so that what went to the wrong place or was
 * left out shows.
 */
export interface Pattern {
  /** The number of one rank at one place. */
  value(rank: number, index: number): number;
  /** The sum of all ranks' numbers at one place. */
  sum(index: number): number;
  /** Writes a rank's numbers for the places from `start` on. */
  fill(bytes: Uint8Array, options: { readonly rank: number; readonly start: number }): void;
  /** Compares a buffer with what its blocks must hold. */
  verify(
    bytes: Uint8Array,
    blocks: readonly Block[],
  ): { readonly wrong: number; readonly elements: number; readonly first?: string };
}

/** More numbers than this tell places apart no better. */
const valuesMax = 251;
/** A prime; how many numbers there are is no multiple of it, so that neighbouring ranks differ. */
const rankStep = 31;

/** The pattern for a dtype and a number of ranks. */
export function createPattern(dtype: WireDType, worldSize: number): Pattern {
  const { exactMax } = wireFormats[dtype];
  const most = Math.max(2, Math.min(valuesMax, Math.floor(exactMax / worldSize) + 1));
  const values = most % rankStep === 0 ? most - 1 : most;
  const valueAt = (rank: number, slot: number) => (slot + rank * rankStep) % values;
  const slots = Array.from({ length: values }, (_, slot) => slot);
  const sums = slots.map((slot) =>
    wrapped(
      dtype,
      sumOver(worldSize, (rank) => valueAt(rank, slot)),
    ),
  );
  const sumBits = sums.map((sum) => storedAs(dtype, sum));
  const bitsOfRank = (rank: number) => slots.map((slot) => storedAs(dtype, valueAt(rank, slot)));

  return {
    value: (rank, index) => valueAt(rank, mix(index) % values),
    sum: (index) => sums[mix(index) % values] ?? 0,
    fill: (bytes, { rank, start }) => {
      const elements = elementsOf(bytes, dtype);
      const bits = bitsOfRank(rank);
      for (let i = 0; i < elements.length; i++) {
        elements[i] = bits[mix(start + i) % values] as number;
      }
    },
    verify: (bytes, blocks) => {
      const elements = elementsOf(bytes, dtype);
      let wrong = 0;
      let total = 0;
      let first: string | undefined;
      for (const { at, count, start, source } of blocks) {
        const bits = source === "sum" ? sumBits : bitsOfRank(source);
        for (let i = 0; i < count; i++) {
          const expected = bits[mix(start + i) % values];
          const found = elements[at + i] as number;
          if (found === expected) continue;
          wrong += 1;
          first ??= `element ${at + i} is ${valueOf(dtype, found)} instead of ${valueOf(dtype, expected ?? 0)}`;
        }
        total += count;
      }
      return { wrong, elements: total, ...(first === undefined ? {} : { first }) };
    },
  };
}

/** Spreads places, so that blocks of any size differ from their neighbours. */
function mix(index: number): number {
  const low = (index % 2 ** 32) | 0;
  return (low + (low >>> 8) + (low >>> 16) * 3 + Math.floor(index / 2 ** 32)) >>> 0;
}

function sumOver(count: number, of: (index: number) => number): number {
  let sum = 0;
  for (let index = 0; index < count; index++) sum += of(index);
  return sum;
}

/** Sums of bytes go round, as they do on the hardware. */
function wrapped(dtype: WireDType, sum: number): number {
  if (dtype === "u8") return sum & 0xff;
  return dtype === "i8" ? (sum << 24) >> 24 : sum;
}
