/** What is written into memory and looked for again. */
export interface MemoryPattern {
  readonly name: string;
  /** Writes the words of a stretch of memory that begins at this place, counted in words. */
  readonly make: (words: Uint32Array, firstPlace: number) => void;
}

const constants = [0x00000000, 0xffffffff, 0xaaaaaaaa, 0x55555555];

/** Patterns of one round over memory. */
export const patternCount = constants.length + 2;

/**
 * The pattern of a pass, counted from 0: bits that are all low, all high, and alternate; each place's
 * own address, which finds lines that lead to the wrong place; and random words, other ones each
 * round.
 */
export function patternOf(pass: number): MemoryPattern {
  const which = pass % patternCount;
  const constant = constants[which];
  if (constant !== undefined) {
    const name = `0x${constant.toString(16).padStart(8, "0")}`;
    return { name, make: (words) => void words.fill(constant) };
  }
  if (which === constants.length) return { name: "address", make: makeAddresses };
  return { name: "random", make: (words, firstPlace) => makeRandom(words, firstPlace, pass) };
}

function makeAddresses(words: Uint32Array, firstPlace: number): void {
  for (let at = 0; at < words.length; at++) words[at] = firstPlace + at;
}

/** Words that depend on all bits of place and pass; the steps are those of a 32-bit finalizer. */
function makeRandom(words: Uint32Array, firstPlace: number, pass: number): void {
  const key = Math.imul(pass, 0x85ebca6b);
  for (let at = 0; at < words.length; at++) {
    let word = (Math.imul(firstPlace + at, 0x9e3779b1) + key) | 0;
    word = Math.imul(word ^ (word >>> 16), 0x7feb352d);
    word = Math.imul(word ^ (word >>> 15), 0x846ca68b);
    words[at] = word ^ (word >>> 16);
  }
}

export interface WrongWord {
  readonly place: number;
  readonly found: number;
  readonly expected: number;
}

/** Writes a pattern into memory and looks for it, by way of a small stretch made afresh each time. */
export interface PatternWalker {
  /** `start` is the place of the first word. */
  write(words: Uint32Array, pattern: MemoryPattern, start: number): void;
  /** The first word that is not the pattern's, and how many are not. */
  verify(
    words: Uint32Array,
    pattern: MemoryPattern,
    start: number,
  ): { readonly wrong: number; readonly first?: WrongWord };
}

// Fits the cache of a core.
const tileWords = 16 * 1024;

export function createPatternWalker(): PatternWalker {
  const whole = new Uint32Array(tileWords);
  function* tiles(words: Uint32Array, pattern: MemoryPattern, start: number) {
    for (let at = 0; at < words.length; at += tileWords) {
      const tile = whole.subarray(0, Math.min(tileWords, words.length - at));
      pattern.make(tile, start + at);
      yield { at, tile };
    }
  }
  return {
    write: (words, pattern, start) => {
      for (const { at, tile } of tiles(words, pattern, start)) words.set(tile, at);
    },
    verify: (words, pattern, start) => {
      let wrong = 0;
      let first: WrongWord | undefined;
      for (const { at, tile } of tiles(words, pattern, start)) {
        const found = words.subarray(at, at + tile.length);
        if (Buffer.compare(bytesOf(found), bytesOf(tile)) === 0) continue;
        for (const [index, expected] of tile.entries()) {
          const word = found[index] as number;
          if (word === expected) continue;
          wrong++;
          first ??= { place: start + at + index, found: word, expected };
        }
      }
      return first === undefined ? { wrong } : { wrong, first };
    },
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
