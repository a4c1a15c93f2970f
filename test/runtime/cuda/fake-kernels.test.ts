import { describe, expect, it } from "vitest";
import type { CudaDevice, KernelArg, KernelSource } from "../../../src/runtime/cuda/index.ts";
import { noFake, openFake } from "./device/on-fake.ts";

const source: KernelSource = {
  name: "fake-kernels",
  code: `
typedef unsigned int u32;
#define KERNEL(name) extern "C" __global__ void __launch_bounds__(1024) name

KERNEL(ranks)(u32 *out) {
  u32 block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  u32 thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  u32 at = block * blockDim.x * blockDim.y * blockDim.z + thread;
  out[at] = at;
}

KERNEL(reverse)(u32 *out) {
  extern __shared__ __align__(16) unsigned char shared_memory[];
  u32 *row = (u32 *)shared_memory;
  row[threadIdx.x] = blockIdx.x * 1000 + threadIdx.x;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = row[blockDim.x - 1 - threadIdx.x];
}

__device__ __forceinline__ u32 warp_sum(u32 value) {
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_xor_sync(0xffffffffu, value, lanes);
  return value;
}

KERNEL(block_sum)(unsigned long long *total, const u32 *in, u32 n) {
  __shared__ u32 parts[32];
  u32 sum = 0;
  for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = warp_sum(threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0);
  if (threadIdx.x == 0) atomicAdd(total, (unsigned long long)sum);
}

KERNEL(shuffles)(u32 *out) {
  u32 lane = threadIdx.x;
  out[lane] = __shfl_down_sync(0xffffffffu, lane, 3);
  out[32 + lane] = __shfl_up_sync(0xffffffffu, lane, 3);
  out[64 + lane] = __shfl_sync(0xffffffffu, lane, 5, 8);
  out[96 + lane] = __shfl_xor_sync(0xffffffffu, lane, 1);
  out[128 + lane] = __ballot_sync(0xffffffffu, lane % 2 == 0);
  __syncwarp();
  if (lane < 16) out[160 + lane] = __shfl_down_sync(0x0000ffffu, lane, 1);
}

KERNEL(atomics)(u32 *out) {
  atomicMax(&out[0], threadIdx.x);
  atomicMin(&out[1], threadIdx.x);
  atomicXor(&out[2], threadIdx.x);
  atomicCAS(&out[3], 0u, threadIdx.x + 7u);
}

KERNEL(half_of_them_wait)(u32 *out) {
  if (threadIdx.x < 16) __syncwarp();
  else __syncthreads();
  out[threadIdx.x] = 1;
}

KERNEL(wild)(u32 *out, unsigned long long where) {
  out[0] = *(u32 *)where;
}
`,
  kernels: [],
};

interface Run {
  readonly grid?: readonly [number, number?, number?];
  readonly block: readonly [number, number?, number?];
  readonly sharedBytes?: number;
  readonly more?: readonly KernelArg[];
  /** What is in the buffer before. */
  readonly before?: readonly number[];
}

/** Runs a kernel on a buffer of 32-bit numbers and answers what it holds then. */
function run(device: CudaDevice, name: string, length: number, options: Run): number[] {
  using buffer = device.memory.allocate(length * 4);
  const values = Uint32Array.from({ length }, (_, index) => options.before?.[index] ?? 0);
  const bytes = new Uint8Array(values.buffer);
  device.stream.upload({ buffer }, bytes);
  device.stream.launch(device.module(source).kernel(name), {
    grid: options.grid ?? [1],
    block: options.block,
    ...(options.sharedBytes === undefined ? {} : { sharedBytes: options.sharedBytes }),
    args: [{ ptr: buffer }, ...(options.more ?? [])],
  });
  device.stream.download({ buffer }, bytes);
  return [...values];
}

const upTo = (length: number) => Array.from({ length }, (_, index) => index);

describe.skipIf(noFake !== "")(`kernels on the fake GPU${noFake}`, () => {
  it("every thread of a three-dimensional grid runs once", () => {
    const device = openFake();
    const threads = 2 * 3 * 2 * 4 * 2 * 3;
    expect(run(device, "ranks", threads, { grid: [2, 3, 2], block: [4, 2, 3] })).toEqual(
      upTo(threads),
    );
  });

  it("threads of a block meet at a barrier and share memory", () => {
    const reversed = run(openFake(), "reverse", 192, { grid: [2], block: [96], sharedBytes: 384 });
    expect(reversed.slice(0, 3)).toEqual([95, 94, 93]);
    expect(reversed.slice(96, 99)).toEqual([1095, 1094, 1093]);
  });

  it("shuffles, barriers and atomics add up over blocks", () => {
    const device = openFake();
    const n = 5000;
    using input = device.memory.allocate(n * 4);
    const numbers = Uint32Array.from(upTo(n));
    device.stream.upload({ buffer: input }, new Uint8Array(numbers.buffer));
    const more: KernelArg[] = [{ ptr: input }, { u32: n }];
    expect(run(device, "block_sum", 2, { grid: [3], block: [256], more })).toEqual([
      (n * (n - 1)) / 2,
      0,
    ]);
  });

  it("shuffles read what real ones read, also at the edges and with a part of the warp", () => {
    const out = run(openFake(), "shuffles", 192, { block: [32] });
    const lanes = upTo(32);
    expect(out.slice(0, 32)).toEqual(lanes.map((lane) => (lane + 3 < 32 ? lane + 3 : lane)));
    expect(out.slice(32, 64)).toEqual(lanes.map((lane) => (lane >= 3 ? lane - 3 : lane)));
    expect(out.slice(64, 96)).toEqual(lanes.map((lane) => Math.floor(lane / 8) * 8 + 5));
    expect(out.slice(96, 128)).toEqual(lanes.map((lane) => lane ^ 1));
    expect(new Set(out.slice(128, 160))).toEqual(new Set([0x55555555]));
    expect(out.slice(160, 175)).toEqual(upTo(15).map((lane) => lane + 1));
  });

  it("atomics answer in any order alike", () => {
    const [max, min, xor, swapped] = run(openFake(), "atomics", 4, {
      block: [100],
      before: [0, 1000, 0, 0],
    });
    expect([max, min, xor]).toEqual([99, 0, upTo(100).reduce((a, b) => a ^ b, 0)]);
    expect(swapped).toBeGreaterThanOrEqual(7);
  });

  it("threads that wait for others for ever are a failed launch, not a hang", () => {
    expect(() => run(openFake(), "half_of_them_wait", 32, { block: [32] })).toThrow(
      /CUDA_ERROR_LAUNCH_FAILED/,
    );
  });

  it("a wild address breaks the context and not the process", () => {
    const device = openFake();
    const more: KernelArg[] = [{ u64: 8n }];
    expect(() => run(device, "wild", 1, { block: [1], more })).toThrow(
      /CUDA_ERROR_ILLEGAL_ADDRESS/,
    );
    expect(() => device.memory.available()).toThrow(/CUDA_ERROR_ILLEGAL_ADDRESS/);
  });

  it("a block of more threads than a GPU has is refused", () => {
    expect(() => run(openFake(), "ranks", 4, { block: [1025] })).toThrow(/INVALID_VALUE/);
  });

  it("more shared memory than was asked for is refused", () => {
    expect(() => run(openFake(), "reverse", 96, { block: [96], sharedBytes: 400_000 })).toThrow(
      /E_CUDA|INVALID_VALUE/,
    );
  });

  it("a text that does not compile says where", () => {
    const device = openFake();
    const wrong: KernelSource = {
      name: "wrong",
      code: 'extern "C" __global__ void k(int *out) {\n  out[0] = nothing;\n}',
      kernels: ["k"],
    };
    expect(() => device.module(wrong)).toThrow(/nothing/);
  });
});
