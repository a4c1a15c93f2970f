import type { Clock } from "../../../platform/time/clock.ts";
import { formatBytes } from "../../../platform/units/index.ts";
import type { CudaDevice, DeviceBuffer } from "../../cuda/device/device.ts";
import {
  fillPattern,
  flipBit,
  type MemoryPattern,
  type PatternMismatch,
  verifyPattern,
} from "../../cuda/ops/patterns.ts";
import type { Corruption, Mismatch, StressEngine } from "../engine.ts";
import { createStepEngine } from "../step-engine.ts";
import { describeGpu, gpuFacts, gpuFailure } from "./gpu.ts";
import { createProductLane, mismatchOf } from "./product-lane.ts";

/** What the driver and other small needs of this process are left with. */
const reserveBytes = 512 * 2 ** 20;
const chunkBytesMax = 8 * 2 ** 30;
const chunksMin = 4;
const granule = 2 * 2 ** 20;
/** Products that are made beside the walk through one chunk. */
const productsOfChunk = 8;
const productSide = 4096;

export interface CudaMemoryOptions {
  readonly device: CudaDevice;
  readonly clock: Clock;
  /** How much is held and walked. @default all that is free but half a GiB */
  readonly sizeBytes?: number;
  /** Rows and columns of the products beside the walk. @default 4096 */
  readonly side?: number;
  /** @default true */
  readonly verify?: boolean;
  readonly corrupt?: Corruption;
}

/**
 * Holds the memory of a GPU and walks it with patterns while the tensor cores multiply: an iteration
 * verifies that a chunk still holds what the pass before wrote, and writes what is next.
 *
 * @throws E_CUDA
 */
export function createCudaMemory(options: CudaMemoryOptions): StressEngine {
  const { device, clock, verify = true, corrupt } = options;
  const walk = createWalk(options);
  const { chunkBytes, bytes } = walk;
  const how = verify ? "each word verified a pass later" : "none verified";
  return createStepEngine(
    {
      ...describeGpu(device),
      description: `patterns through ${formatBytes(bytes)} of memory while the GPU multiplies, ${how}`,
      work: { iteration: "chunk", amount: ((verify ? 2 : 1) * chunkBytes) / 1e9, unit: "GB" },
      verifies: verify,
      facts: {
        memoryBytes: bytes,
        chunkBytes,
        productsOfChunk,
        ...gpuFacts(device),
      },
      step: (iteration) =>
        walk.step(iteration, corrupt?.iteration === iteration ? corrupt.bit : undefined),
      failureOf: gpuFailure,
      close: async () => walk.release(),
    },
    clock,
  );
}

/** The pattern of a pass, counted from 0. */
function patternOf(pass: number): MemoryPattern {
  const bytes = [0x00, 0xff, 0xaa, 0x55];
  const byte = bytes[pass % (bytes.length + 2)];
  if (byte !== undefined) return { kind: "byte", byte };
  if (pass % (bytes.length + 2) === bytes.length) return { kind: "address" };
  return { kind: "random", seed: pass };
}

function nameOf(pattern: MemoryPattern): string {
  if (pattern.kind !== "byte") return pattern.kind;
  return `0x${pattern.byte.toString(16).padStart(2, "0")}`;
}

function createWalk({ device, sizeBytes, side = productSide, verify = true }: CudaMemoryOptions) {
  const lane = createProductLane({ device, format: "bf16", side, verify });
  const stream = device.createStream();
  const chunks: DeviceBuffer[] = [];
  const release = () => {
    for (const chunk of chunks.splice(0)) chunk.free();
    stream.close();
    lane[Symbol.dispose]();
    device.memory.trim();
  };
  try {
    const free = device.memory.available().freeBytes - reserveBytes;
    const total = Math.max(granule, Math.min(sizeBytes ?? free, free));
    const share = Math.floor(total / chunksMin / granule) * granule;
    const chunkBytes = Math.max(granule, Math.min(chunkBytesMax, share));
    const count = Math.max(1, Math.floor(total / chunkBytes));
    for (let index = 0; index < count; index++) {
      const buffer = device.memory.allocate(chunkBytes, { purpose: "the walk through memory" });
      chunks.push(buffer);
      fillPattern(device, { buffer, bytes: chunkBytes, pattern: patternOf(0), stream });
    }
    const verifyChunk = (buffer: DeviceBuffer, pattern: MemoryPattern) =>
      verify ? verifyPattern(device, { buffer, bytes: chunkBytes, pattern, stream }) : undefined;
    let wrongProducts = 0;
    return {
      chunkBytes,
      bytes: count * chunkBytes,
      release,
      step: (iteration: number, flip?: number): readonly Mismatch[] => {
        const pass = Math.floor(iteration / count);
        const buffer = chunks[iteration % count];
        if (buffer === undefined) return [];
        for (let nth = 0; nth < productsOfChunk; nth++) {
          lane.put(iteration * productsOfChunk + nth);
        }
        if (flip !== undefined) flipBit(device, { buffer, bit: flip % (8 * chunkBytes), stream });
        const wrong = verifyChunk(buffer, patternOf(pass));
        fillPattern(device, { buffer, bytes: chunkBytes, pattern: patternOf(pass + 1), stream });
        device.synchronize();
        if (wrong !== undefined) return [memoryMismatch(iteration, wrong, patternOf(pass))];
        const found = lane.found();
        if (found === undefined || found.wrongProducts === wrongProducts) return [];
        wrongProducts = found.wrongProducts;
        const first = mismatchOf(found);
        if (first === undefined) return [];
        const place = `${first.place} of product ${first.iteration} beside the walk`;
        return [{ iteration, place, detail: first.detail }];
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

function memoryMismatch(
  iteration: number,
  { words, first }: PatternMismatch,
  pattern: MemoryPattern,
): Mismatch {
  const hex = (value: bigint, digits: number) => `0x${value.toString(16).padStart(digits, "0")}`;
  const detail = `${hex(first.found, 16)} instead of ${hex(first.expected, 16)} of pattern ${nameOf(pattern)}, ${words} words wrong in all`;
  return { iteration, place: `address ${hex(first.address, 12)}`, detail };
}
