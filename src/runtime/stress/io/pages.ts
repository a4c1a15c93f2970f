import assert from "node:assert/strict";

export const pageBytes = 4096;

/** Where a block of pages lies: in which file, in which of its versions, from which page on. */
export interface BlockPlace {
  readonly file: number;
  /** How often the file was written before: old content is wrong content. */
  readonly version: number;
  readonly firstPage: number;
}

/**
 * Bytes that say where they belong: random words, which no compression shrinks, and at the head of
 * every page its file, version and number. A page that is stale, lost or in the wrong place differs.
 */
export function createPages(bytes: Uint8Array, seed: number): { stamp(place: BlockPlace): void } {
  assert(bytes.length % pageBytes === 0, "a block is made of whole pages");
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  let word = seed | 1;
  for (let at = 0; at < words.length; at++) {
    // Marsaglia's xorshift: fast, and more than enough to look like data.
    word ^= word << 13;
    word ^= word >>> 17;
    word ^= word << 5;
    words[at] = word;
  }
  const wordsOfPage = pageBytes / 4;
  return {
    stamp: ({ file, version, firstPage }) => {
      for (let page = 0; page * wordsOfPage < words.length; page++) {
        const at = page * wordsOfPage;
        words[at] = file;
        words[at + 1] = version;
        words[at + 2] = firstPage + page;
      }
    },
  };
}

/** The first page in which two blocks differ. */
export function firstDifference(found: Uint8Array, expected: Uint8Array): number | undefined {
  if (Buffer.compare(found, expected) === 0) return undefined;
  for (let page = 0; page * pageBytes < expected.length; page++) {
    const [from, to] = [page * pageBytes, (page + 1) * pageBytes];
    if (Buffer.compare(found.subarray(from, to), expected.subarray(from, to)) !== 0) return page;
  }
  return undefined;
}

/** What a page says it is, for people: `page 3 of file 1, version 7`. */
export function pageName(page: Uint8Array): string {
  const [file, version, number] = new Uint32Array(page.slice(0, 12).buffer);
  return `page ${number} of file ${file}, version ${version}`;
}
