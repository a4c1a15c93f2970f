import assert from "node:assert/strict";
import type { StreamKey } from "../../../platform/rng/stream-key.ts";

const two32 = 2 ** 32;

/**
 * Fills `out` with words `start`, `start + 1`, … of a random stream: the numbers that
 * `RngStream.at(index)` gives, made in bulk. Philox4x32-10 in 32-bit steps without allocations.
 */
export function philoxWords(stream: StreamKey, start: number, out: Uint32Array): void {
  assert(
    Number.isSafeInteger(start + out.length) && start >= 0,
    "indices are whole numbers from 0",
  );
  const {
    key: [key0, key1],
    counterHigh: [high0, high1],
  } = stream;
  const block = new Uint32Array(4);
  let done = 0;
  const partOfBlock = (): void => {
    const index = start + done;
    philoxBlock(key0, key1, high0, high1, Math.floor(index / 4), block, 0);
    for (let word = index % 4; word < 4 && done < out.length; word++) {
      out[done++] = block[word] as number;
    }
  };
  if (start % 4 !== 0) partOfBlock();
  for (; done + 4 <= out.length; done += 4) {
    philoxBlock(key0, key1, high0, high1, (start + done) / 4, out, done);
  }
  if (done < out.length) partOfBlock();
}

/** Four words of a stream: those from `4 * blockIndex` on, put into `out` from `at` on. */
export function philoxBlock(
  key0: number,
  key1: number,
  counterHigh0: number,
  counterHigh1: number,
  blockIndex: number,
  out: Uint32Array,
  at: number,
): void {
  // The lower 32 bits; the remainder of a division would take longer than all the rest.
  let c0 = blockIndex | 0;
  let c1 = blockIndex < two32 ? 0 : Math.floor(blockIndex / two32) | 0;
  let c2 = counterHigh0 | 0;
  let c3 = counterHigh1 | 0;
  let k0 = key0 | 0;
  let k1 = key1 | 0;
  for (let round = 0; round < 10; round++) {
    // The multiplier 0xd2511f53 in halves, times c0.
    const low0 = c0 & 0xffff;
    const high0 = c0 >>> 16;
    const across0 = (Math.imul(0xd251, low0) + (Math.imul(0x1f53, low0) >>> 16)) | 0;
    const carry0 = (Math.imul(0x1f53, high0) + (across0 & 0xffff)) | 0;
    const top0 = (Math.imul(0xd251, high0) + (across0 >>> 16) + (carry0 >>> 16)) | 0;
    // The multiplier 0xcd9e8d57 in halves, times c2.
    const low1 = c2 & 0xffff;
    const high1 = c2 >>> 16;
    const across1 = (Math.imul(0xcd9e, low1) + (Math.imul(0x8d57, low1) >>> 16)) | 0;
    const carry1 = (Math.imul(0x8d57, high1) + (across1 & 0xffff)) | 0;
    const top1 = (Math.imul(0xcd9e, high1) + (across1 >>> 16) + (carry1 >>> 16)) | 0;
    const bottom0 = Math.imul(0xd2511f53, c0);
    const bottom1 = Math.imul(0xcd9e8d57, c2);
    c0 = top1 ^ c1 ^ k0;
    c1 = bottom1;
    c2 = top0 ^ c3 ^ k1;
    c3 = bottom0;
    k0 = (k0 + 0x9e3779b9) | 0;
    k1 = (k1 + 0xbb67ae85) | 0;
  }
  out[at] = c0;
  out[at + 1] = c1;
  out[at + 2] = c2;
  out[at + 3] = c3;
}
