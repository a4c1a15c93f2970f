import type { CudaDevice, DeviceBuffer } from "../../../../../runtime/cuda/index.ts";
import {
  fillPattern,
  flipBit,
  type MemoryPattern,
  verifyPattern,
} from "../../../../../runtime/cuda/ops/index.ts";
import type { MemoryWalk, MemoryWalkOptions, Mismatch } from "../engine.ts";

/** Large enough to be few, small enough to find room beside what else there is. */
const pieceBytesMax = 8 * 2 ** 30;
const pieceBytesMin = 2 ** 20;
const pieceStep = 2 ** 16;

const byte = (value: number): MemoryPattern => ({ kind: "byte", byte: value });
const patterns: Readonly<Record<string, (seed: number) => MemoryPattern>> = {
  "0x00": () => byte(0x00),
  "0xFF": () => byte(0xff),
  "0xAA": () => byte(0xaa),
  "0x55": () => byte(0x55),
  address: () => ({ kind: "address" }),
  random: (seed) => ({ kind: "random", seed }),
};

/** Writes each pattern over all of the area before any of it is read back. */
export async function walkDeviceMemory(
  device: CudaDevice,
  options: MemoryWalkOptions,
): Promise<MemoryWalk> {
  const { rounds, seed, flip, signal } = options;
  device.memory.trim();
  const { totalBytes } = device.memory.available();
  const pieces = takePieces(device, options);
  try {
    const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
    const gbps: number[] = [];
    const mismatches: (Mismatch & { pattern: string })[] = [];
    for (let round = 0; round < rounds; round++) {
      for (const [name, patternOf] of Object.entries(patterns)) {
        signal.throwIfAborted();
        const pattern = patternOf(seed + round);
        const walked = await walkOnce(device, { pieces, pattern, flip, signal });
        gbps.push((2 * bytes) / walked.timeMs / 1e6);
        mismatches.push(...walked.mismatches.map((found) => ({ ...found, pattern: name })));
      }
    }
    return { bytes, totalBytes, gbps, mismatches };
  } finally {
    for (const piece of pieces) piece.free();
    device.memory.trim();
  }
}

function takePieces(
  device: CudaDevice,
  { share, bytesMax }: MemoryWalkOptions,
): readonly DeviceBuffer[] {
  const { freeBytes } = device.memory.available();
  let left = Math.min(freeBytes * share, bytesMax);
  const pieces: DeviceBuffer[] = [];
  for (let size = pieceBytesMax; left >= pieceBytesMin && size >= pieceBytesMin; ) {
    const bytes = Math.floor(Math.min(size, left) / pieceStep) * pieceStep;
    try {
      pieces.push(device.memory.allocate(bytes, { purpose: "the walk through memory" }));
      left -= bytes;
    } catch (error) {
      // What does not fit in one piece may in two.
      size /= 2;
      if (size < pieceBytesMin && pieces.length === 0) throw error;
    }
  }
  return pieces;
}

async function walkOnce(
  device: CudaDevice,
  given: {
    readonly pieces: readonly DeviceBuffer[];
    readonly pattern: MemoryPattern;
    readonly flip: MemoryWalkOptions["flip"];
    readonly signal: AbortSignal;
  },
): Promise<{ readonly timeMs: number; readonly mismatches: readonly Mismatch[] }> {
  const { pieces, pattern, flip, signal } = given;
  const { stream } = device;
  using start = device.createEvent();
  using end = device.createEvent();
  stream.record(start);
  for (const buffer of pieces) fillPattern(device, { buffer, bytes: buffer.bytes, pattern });
  const [first] = pieces;
  if (flip !== undefined && first !== undefined) {
    flipBit(device, { buffer: first, bit: flip.bit % (8 * first.bytes) });
  }
  await stream.settled(signal);
  const mismatches: Mismatch[] = [];
  let base = 0;
  for (const buffer of pieces) {
    const found = verifyPattern(device, { buffer, bytes: buffer.bytes, pattern });
    if (found !== undefined) {
      const { offsetBytes, expected, found: value } = found.first;
      const place = `byte ${base + offsetBytes} of the area`;
      const first = `${place}: ${hex(expected)} expected, ${hex(value)} found when read again`;
      mismatches.push({ wrong: found.words, first });
    }
    base += buffer.bytes;
  }
  stream.record(end);
  await stream.settled(signal);
  return { timeMs: end.elapsedMsSince(start), mismatches };
}

function hex(value: bigint): string {
  return `0x${value.toString(16).padStart(16, "0")}`;
}
