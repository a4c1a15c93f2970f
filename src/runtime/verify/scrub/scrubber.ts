import assert from "node:assert/strict";
import { type BlockCode, changeOf, codeOf, hashOf } from "./block-code.ts";

export interface ScrubberOptions {
  /** Of one hash. @default 64 KiB */
  readonly blockBytes?: number;
  /** Findings kept in one answer; the rest is counted. @default 64 */
  readonly findingsMax?: number;
}

/** Memory that changed though nobody was to change it. */
export interface ScrubFinding {
  readonly buffer: string;
  readonly block: number;
  /** Where the block starts in the buffer. */
  readonly offsetBytes: number;
  readonly blockBytes: number;
  /** The one word that changed, as a byte offset in the buffer, and its changed bits; absent when several did. */
  readonly word?: {
    readonly offsetBytes: number;
    readonly xor: number;
    readonly bits: readonly number[];
  };
}

export interface ScrubReport {
  readonly scannedBytes: number;
  /** Passes over all buffers since the start. */
  readonly passes: number;
  readonly findings: readonly ScrubFinding[];
  /** Findings beyond those listed. */
  readonly more: number;
}

/** Watches memory at rest; see `createScrubber`. */
export interface Scrubber {
  /** Watches these bytes from now on, under a new name or in place of what had it. They are not copied. */
  register(name: string, bytes: Uint8Array): void;
  /** Its bytes were changed on purpose: what they are now is right. */
  refresh(name: string): void;
  /** Stops watching; false when there was nothing of that name. */
  release(name: string): boolean;
  /**
   * Goes on where the last call stopped and looks at so many bytes, at least one block and at most
   * everything once. A block that changed is told once, and watched as it is from then on.
   */
  scrub(budgetBytes: number): ScrubReport;
  readonly buffers: number;
  readonly watchedBytes: number;
}

interface Watched {
  readonly name: string;
  readonly bytes: Uint8Array;
  codes: BlockCode[];
}

const blockBytesUsual = 64 * 1024;
const buffersMax = 1_000_000;

/**
 * Hashes of memory that is to stay as it is (weights while others are trained, caches, optimizer
 * state between steps), looked at slice by slice beside the work.
 */
export function createScrubber(options: ScrubberOptions = {}): Scrubber {
  const { blockBytes = blockBytesUsual, findingsMax = 64 } = options;
  assert(
    Number.isInteger(blockBytes) && blockBytes >= 64 && blockBytes % 4 === 0,
    "blocks of whole words from 64 bytes",
  );
  return new SliceScrubber(blockBytes, findingsMax);
}

class SliceScrubber implements Scrubber {
  readonly #blockBytes: number;
  readonly #findingsMax: number;
  readonly #watched = new Map<string, Watched>();
  #order: Watched[] = [];
  #at = { buffer: 0, block: 0 };
  #passes = 0;

  constructor(blockBytes: number, findingsMax: number) {
    this.#blockBytes = blockBytes;
    this.#findingsMax = findingsMax;
  }

  get buffers(): number {
    return this.#watched.size;
  }

  get watchedBytes(): number {
    return this.#order.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  register(name: string, bytes: Uint8Array): void {
    this.release(name);
    assert(this.#watched.size < buffersMax, `at most ${buffersMax} buffers are watched`);
    const watched: Watched = { name, bytes, codes: this.#codesOf(bytes) };
    this.#watched.set(name, watched);
    this.#order.push(watched);
  }

  refresh(name: string): void {
    const watched = this.#watched.get(name);
    assert(watched !== undefined, `a buffer ${JSON.stringify(name)} is watched`);
    watched.codes = this.#codesOf(watched.bytes);
  }

  release(name: string): boolean {
    const watched = this.#watched.get(name);
    if (watched === undefined) return false;
    const place = this.#order.indexOf(watched);
    this.#order.splice(place, 1);
    this.#watched.delete(name);
    if (place < this.#at.buffer) this.#at.buffer--;
    else if (place === this.#at.buffer) this.#at.block = 0;
    if (this.#at.buffer >= this.#order.length) this.#at = { buffer: 0, block: 0 };
    return true;
  }

  scrub(budgetBytes: number): ScrubReport {
    assert(budgetBytes > 0, "a budget above 0");
    const findings: ScrubFinding[] = [];
    let [scannedBytes, more] = [0, 0];
    const blocks = this.#order.reduce((sum, { codes }) => sum + codes.length, 0);
    for (let seen = 0; seen < blocks && scannedBytes < budgetBytes; seen++) {
      const watched = this.#order[this.#at.buffer] as Watched;
      const { block } = this.#at;
      const bytes = this.#blockOf(watched, block);
      if (scannedBytes > 0 && scannedBytes + bytes.length > budgetBytes) break;
      scannedBytes += bytes.length;
      const finding = this.#look(watched, block, bytes);
      if (finding !== undefined && findings.length < this.#findingsMax) findings.push(finding);
      else if (finding !== undefined) more++;
      this.#step();
    }
    return { scannedBytes, passes: this.#passes, findings, more };
  }

  #look(watched: Watched, block: number, bytes: Uint8Array): ScrubFinding | undefined {
    const was = watched.codes[block] as BlockCode;
    if (hashOf(bytes) === was.hash) return undefined;
    const offsetBytes = block * this.#blockBytes;
    const change = changeOf(bytes, was);
    watched.codes[block] = codeOf(bytes);
    const found = { buffer: watched.name, block, offsetBytes, blockBytes: bytes.length };
    if (change === undefined) return found;
    const { word, xor } = change;
    const bits = Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => (xor >>> bit) & 1);
    return { ...found, word: { offsetBytes: offsetBytes + 4 * word, xor, bits } };
  }

  /** To the next block that there is. */
  #step(): void {
    this.#at.block++;
    for (let tried = 0; tried <= this.#order.length; tried++) {
      if (this.#at.block < (this.#order[this.#at.buffer]?.codes.length ?? 0)) return;
      this.#at = { buffer: this.#at.buffer + 1, block: 0 };
      if (this.#at.buffer < this.#order.length) continue;
      this.#at.buffer = 0;
      this.#passes++;
    }
  }

  #codesOf(bytes: Uint8Array): BlockCode[] {
    const count = Math.max(1, Math.ceil(bytes.length / this.#blockBytes));
    return Array.from({ length: count }, (_, block) => codeOf(this.#blockOf({ bytes }, block)));
  }

  #blockOf({ bytes }: Pick<Watched, "bytes">, block: number): Uint8Array {
    return bytes.subarray(block * this.#blockBytes, (block + 1) * this.#blockBytes);
  }
}
