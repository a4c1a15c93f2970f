import { createHash } from "node:crypto";

/**
 * What is kept of a block: a hash, which tells that something changed, and parities in the manner of
 * Hamming, which tell what: the xor of all words, and for each bit of a word's index the xor of the
 * words that have it. One changed word shows in all parities of its index with the same pattern.
 */
export interface BlockCode {
  readonly hash: string;
  /** The xor of all words first, then one for each bit of the index, from the highest down. */
  readonly parities: Uint32Array;
}

/** How one word of a block differs from what it was. */
export interface WordChange {
  readonly word: number;
  /** Bits that changed. */
  readonly xor: number;
}

export function codeOf(bytes: Uint8Array): BlockCode {
  return { hash: hashOf(bytes), parities: paritiesOf(bytes) };
}

/** A hash of the block alone: all that a scrub makes of a block that has not changed. */
export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64");
}

/** The only word that changed, with its bits; undefined when more than one did. */
export function changeOf(bytes: Uint8Array, was: BlockCode): WordChange | undefined {
  const now = paritiesOf(bytes);
  const xor = ((now[0] as number) ^ (was.parities[0] as number)) >>> 0;
  if (xor === 0) return undefined;
  let word = 0;
  for (let at = 1; at < now.length; at++) {
    const moved = ((now[at] as number) ^ (was.parities[at] as number)) >>> 0;
    if (moved !== 0 && moved !== xor) return undefined;
    word = 2 * word + (moved === xor ? 1 : 0);
  }
  if (4 * word >= bytes.length) return undefined;
  return mendsWith(bytes, was.hash, { word, xor }) ? { word, xor } : undefined;
}

/** Several changes can look like one: it is the one only if undoing it gives the old hash. */
function mendsWith(bytes: Uint8Array, hash: string, { word, xor }: WordChange): boolean {
  const mended = Uint8Array.from(bytes);
  for (let byte = 0; byte < 4; byte++) {
    const at = 4 * word + byte;
    if (at < mended.length) mended[at] = (mended[at] as number) ^ ((xor >>> (8 * byte)) & 0xff);
  }
  return hashOf(mended) === hash;
}

function paritiesOf(bytes: Uint8Array): Uint32Array {
  const words = wordsOf(bytes);
  const bits = Math.max(1, Math.ceil(Math.log2(words.length)));
  const out = new Uint32Array(bits + 1);
  // Folded in half again and again: what is in the upper half has this bit of the index.
  let half = 2 ** (bits - 1);
  for (let bit = 1; bit <= bits; bit++, half /= 2) {
    let parity = 0;
    const end = Math.min(words.length, 2 * half);
    for (let at = half; at < end; at++) {
      const word = words[at] as number;
      parity ^= word;
      words[at - half] = (words[at - half] as number) ^ word;
    }
    out[bit] = parity;
  }
  out[0] = words[0] as number;
  return out;
}

/** A copy as little-endian words, the last filled up with zeros; at least one. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  const words = new Uint32Array(Math.max(1, Math.ceil(bytes.length / 4)));
  new Uint8Array(words.buffer).set(bytes);
  return words;
}
