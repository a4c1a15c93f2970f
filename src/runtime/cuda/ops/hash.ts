import type { CudaDevice, DevicePlace } from "../device/device.ts";
import { hashKernels } from "../kernels/hash-kernels.ts";
import { gridFor, launchKernel } from "../kernels/launch.ts";
import { type CudaArray, clear, type OnStream } from "../tensor/cuda-array.ts";
import { cudaDtypeBytes } from "../tensor/cuda-dtype.ts";

/** What a hash is taken of. */
export interface HashPlace extends OnStream, DevicePlace {
  /** How many; the place must start at a multiple of 16. */
  readonly bytes: number;
}

/**
 * A 64-bit hash of memory on a GPU, at the speed of memory. Any flipped bit, and any two places
 * exchanged, give another value (but for one case in 2^32). It is no secret and no signature: for
 * that there is `digest`. `hashBytes` gives the same on the host. Waits for the stream.
 *
 * @throws E_CUDA
 */
export function hashBuffer(device: CudaDevice, place: HashPlace): bigint {
  const { stream = device.stream, bytes } = place;
  const sum = device.memory.allocate(8, { purpose: "a hash" });
  try {
    clear({ buffer: sum }, 8, stream);
    launchKernel(device, {
      source: hashKernels.source({}),
      kernel: "hash_buffer",
      grid: gridFor(device, { items: bytes, perThread: 64, perMultiprocessor: 6 }),
      block: 256,
      args: [{ ptr: place }, { i64: bytes }, { ptr: sum }],
      stream,
    });
    const word = new Uint8Array(8);
    stream.download({ buffer: sum }, word);
    return finish(new DataView(word.buffer).getBigUint64(0, true), bytes);
  } finally {
    sum.free();
  }
}

/** `hashBuffer` of a tensor's elements. @throws E_CUDA */
export function hashTensor(x: CudaArray, on: OnStream = {}): bigint {
  const bytes = x.size * cudaDtypeBytes(x.dtype);
  return hashBuffer(x.device, { ...on, buffer: x.buffer, bytes });
}

const stepLow = 0x7f4a7c15;
const stepHigh = 0x9e3779b9;
const two32 = 2 ** 32;

/** The hash that `hashBuffer` gives for these bytes, made on the host. */
export function hashBytes(bytes: Uint8Array): bigint {
  return finish(sumOfWords(bytes), bytes.length);
}

/** The sum over all words, before the length is mixed in: what a row of `rowChecksums` has. */
export function sumOfWords(bytes: Uint8Array): bigint {
  const whole = bytes.length - (bytes.length % 8);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let low = 0;
  let high = 0;
  let keyLow = 0;
  let keyHigh = 0;
  const add = (wordLow: number, wordHigh: number): void => {
    const nextLow = keyLow + stepLow;
    keyHigh = (keyHigh + stepHigh + (nextLow >= two32 ? 1 : 0)) >>> 0;
    keyLow = nextLow >>> 0;
    const a = (wordLow + keyLow) >>> 0;
    const b = (wordHigh + keyHigh) >>> 0;
    // The 64-bit product from halves of 16 bits, whose products and sums are exact.
    const cross = (a >>> 16) * (b & 0xffff) + (((a & 0xffff) * (b & 0xffff)) >>> 16);
    const carry = (a & 0xffff) * (b >>> 16) + (cross % 0x10000);
    const productHigh =
      (a >>> 16) * (b >>> 16) + Math.floor(cross / 0x10000) + Math.floor(carry / 0x10000);
    const sumLow = low + (Math.imul(a, b) >>> 0) + wordLow;
    low = sumLow % two32;
    high = (high + productHigh + wordHigh + Math.floor(sumLow / two32)) % two32;
  };
  for (let at = 0; at < whole; at += 8) add(view.getUint32(at, true), view.getUint32(at + 4, true));
  if (whole < bytes.length) {
    const last = new Uint8Array(8);
    last.set(bytes.subarray(whole));
    const rest = new DataView(last.buffer);
    add(rest.getUint32(0, true), rest.getUint32(4, true));
  }
  return (BigInt(high) << 32n) | BigInt(low);
}

const mask = (1n << 64n) - 1n;

/** Mixes the length in, so that zeros at the end count too. */
function finish(sum: bigint, bytes: number): bigint {
  let z = (sum + BigInt(bytes) * 0x9e3779b97f4a7c15n) & mask;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
  return z ^ (z >> 31n);
}
