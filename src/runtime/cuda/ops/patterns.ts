import assert from "node:assert/strict";
import type { CudaDevice, DevicePlace } from "../device/device.ts";
import { gridFor, launchKernel } from "../kernels/launch.ts";
import { patternKernels } from "../kernels/pattern-kernels.ts";
import type { OnStream } from "../tensor/cuda-array.ts";

/**
 * What memory is filled with: a byte in every place (0x00, 0xff, 0xaa, 0x55, …); in every 64-bit
 * word its own address, so that one address line stuck shows; or random words of a seed.
 */
export type MemoryPattern =
  | { readonly kind: "byte"; readonly byte: number }
  | { readonly kind: "address" }
  | { readonly kind: "random"; readonly seed: number };

/** A stretch of memory on a GPU. */
export interface PatternPlace extends OnStream, DevicePlace {
  /** A multiple of 8; the place must start at a multiple of 16. */
  readonly bytes: number;
  readonly pattern: MemoryPattern;
}

export interface PatternMismatch {
  /** 64-bit words that differ. */
  readonly words: number;
  /** The first of them. */
  readonly first: {
    /** From the start of the buffer. */
    readonly offsetBytes: number;
    readonly address: bigint;
    readonly expected: bigint;
    /** As read once more after the comparison. */
    readonly found: bigint;
  };
}

/** Writes a pattern. It is put on the stream and done later. @throws E_CUDA */
export function fillPattern(device: CudaDevice, place: PatternPlace): void {
  const { kind, value } = codeOf(place);
  launchKernel(device, {
    source: patternKernels.source({}),
    kernel: "pattern_fill",
    grid: gridFor(device, { items: place.bytes, perThread: 16 }),
    block: 256,
    args: [{ ptr: place }, { i64: wordsOf(place) }, { i32: kind }, { u64: value }],
    stream: place.stream,
  });
}

/**
 * Compares memory with a pattern and waits for the answer: undefined when all of it is right.
 *
 * @throws E_CUDA
 */
export function verifyPattern(
  device: CudaDevice,
  place: PatternPlace,
): PatternMismatch | undefined {
  const { stream = device.stream } = place;
  const { kind, value } = codeOf(place);
  const found = device.memory.allocate(16, { purpose: "a comparison" });
  try {
    const start = new Uint8Array(16).fill(0xff, 8);
    stream.upload({ buffer: found }, start);
    launchKernel(device, {
      source: patternKernels.source({}),
      kernel: "pattern_verify",
      grid: gridFor(device, { items: place.bytes, perThread: 64 }),
      block: 256,
      args: [
        { ptr: place },
        { i64: wordsOf(place) },
        { i32: kind },
        { u64: value },
        { ptr: found },
      ],
      stream,
    });
    const answer = new Uint8Array(16);
    stream.download({ buffer: found }, answer);
    const view = new DataView(answer.buffer);
    const words = Number(view.getBigUint64(0, true));
    if (words === 0) return undefined;
    return { words, first: firstOf(device, place, Number(view.getBigUint64(8, true))) };
  } finally {
    found.free();
  }
}

/** Turns one bit of memory over: a rehearsal of a memory error. @throws E_CUDA */
export function flipBit(
  device: CudaDevice,
  place: DevicePlace & OnStream & { readonly bit: number },
): void {
  assert(Number.isSafeInteger(place.bit) && place.bit >= 0, "a bit has a whole number from 0");
  assert(place.bit < 8 * place.buffer.bytes, "the bit lies in the buffer");
  launchKernel(device, {
    source: patternKernels.source({}),
    kernel: "flip_bit",
    grid: 1,
    block: 1,
    args: [{ ptr: place }, { i64: place.bit }],
    stream: place.stream,
  });
}

function firstOf(device: CudaDevice, place: PatternPlace, word: number): PatternMismatch["first"] {
  const { stream = device.stream, buffer } = place;
  const offsetBytes = (place.offsetBytes ?? 0) + 8 * word;
  const bytes = new Uint8Array(8);
  stream.download({ buffer, offsetBytes }, bytes);
  return {
    offsetBytes,
    address: buffer.address + BigInt(offsetBytes),
    expected: expectedWord(place, word),
    found: new DataView(bytes.buffer).getBigUint64(0, true),
  };
}

const mask = (1n << 64n) - 1n;

function expectedWord(place: PatternPlace, word: number): bigint {
  const { kind, value } = codeOf(place);
  if (kind === 0) return value;
  if (kind === 1) return (value + 8n * BigInt(word)) & mask;
  let z = ((value + BigInt(word)) * 0x9e3779b97f4a7c15n) & mask;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
  return z ^ (z >> 31n);
}

function wordsOf({ bytes }: PatternPlace): number {
  assert(bytes % 8 === 0 && bytes >= 0, "patterns are of whole 64-bit words");
  return bytes / 8;
}

/** The pattern as its kernel takes it. */
function codeOf(place: PatternPlace): { readonly kind: 0 | 1 | 2; readonly value: bigint } {
  const { pattern, buffer, offsetBytes = 0 } = place;
  switch (pattern.kind) {
    case "byte":
      return { kind: 0, value: BigInt(pattern.byte & 0xff) * 0x0101010101010101n };
    case "address":
      return { kind: 1, value: buffer.address + BigInt(offsetBytes) };
    case "random":
      // Far apart, so that no seed is a shifted copy of another.
      return { kind: 2, value: ((BigInt(pattern.seed) + 1n) << 40n) & mask };
    default:
      return assert.fail("a pattern is byte, address or random");
  }
}
