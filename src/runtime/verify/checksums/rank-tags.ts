import assert from "node:assert/strict";

/** Digits in base 4 below 2^24: so many ranks share an element, and their sum is exact in f32. */
const ranksPerElement = 12;
const base = 4;
const ranksMax = 1_000_000;

/** How often each rank's contribution came through. */
export interface TagReading {
  readonly lost: readonly number[];
  /** Counted more than once, with how often. */
  readonly repeated: readonly { readonly rank: number; readonly times: number }[];
  /** Elements that are no sum of tags at all; nothing is said of their ranks. */
  readonly strange: readonly number[];
}

/** Elements of a tag for so many ranks. */
export function tagElements(ranks: number): number {
  assert(Number.isInteger(ranks) && ranks >= 1 && ranks <= ranksMax, "1 to a million ranks");
  return Math.ceil(ranks / ranksPerElement);
}

/**
 * What a rank contributes to a sum so that the sum names who is missing or counts twice: a digit of
 * its own in base 4. All ones would tell how many there are, not which, and one lost beside one
 * doubled would pass.
 */
export function rankTag(rank: number, ranks: number): Float32Array {
  assert(Number.isInteger(rank) && rank >= 0 && rank < ranks, "a rank of these");
  const tag = new Float32Array(tagElements(ranks));
  tag[Math.floor(rank / ranksPerElement)] = base ** (rank % ranksPerElement);
  return tag;
}

/** What the sum of all ranks' tags says. A contribution that counts four times looks like another's. */
export function readRankTags(sum: ArrayLike<number>, ranks: number): TagReading {
  assert(sum.length === tagElements(ranks), "the sum of tags of so many ranks");
  const lost: number[] = [];
  const repeated: { rank: number; times: number }[] = [];
  const strange: number[] = [];
  for (let element = 0; element < sum.length; element++) {
    const first = element * ranksPerElement;
    const count = Math.min(ranksPerElement, ranks - first);
    let rest = sum[element] as number;
    if (!Number.isInteger(rest) || rest < 0 || rest >= base ** count) {
      strange.push(element);
      continue;
    }
    for (let rank = first; rank < first + count; rank++) {
      const times = rest % base;
      rest = Math.floor(rest / base);
      if (times === 0) lost.push(rank);
      else if (times > 1) repeated.push({ rank, times });
    }
  }
  return { lost, repeated, strange };
}
