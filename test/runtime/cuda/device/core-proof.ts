import assert from "node:assert/strict";
import type { Clock } from "../../../../src/platform/time/index.ts";
import type { CudaDevice, DeviceBuffer, KernelArg } from "../../../../src/runtime/cuda/index.ts";
import { changingProducts } from "../ops/changing-product-proof.ts";
import { proofKernels } from "./core-kernels.ts";

/** One thing that must hold on a GPU. Throws when it does not; returns what was measured. */
export interface Proof {
  readonly title: string;
  prove(device: CudaDevice, clock: Clock): string | Promise<string>;
}

const mib = 2 ** 20;

/** In this order: after `shortage` buffers may be kept for later, and the last one leaves the GPU unusable for the process. */
export const coreProofs: readonly Proof[] = [
  { title: "a kernel computes what it should", prove: exactKernel },
  { title: "ordinary memory may change as soon as an upload returns", prove: ordinaryUpload },
  { title: "copies through pinned memory arrive", prove: pinnedCopies },
  { title: "memory is used again in stream order", prove: streamOrder },
  { title: "a kernel gets more shared memory than 48 KiB", prove: sharedMemory },
  { title: "waiting for a stream does not hold the thread", prove: settledWait },
  { title: "launches are cheap", prove: launchCost },
  { title: "memory that runs out is told, and the GPU goes on", prove: shortage },
  { title: "tensor cores check products of changing factors", prove: changingProducts },
  {
    title: "an illegal address is told with its kernel, and ends the context",
    prove: illegalAddress,
  },
];

function exactKernel(device: CudaDevice): string {
  const count = 4 * mib;
  const values = Uint32Array.from({ length: count }, (_, index) => index);
  const [input, output] = [buffer(device, count * 4), buffer(device, count * 4)];
  device.stream.upload({ buffer: input }, bytesOf(values));
  affine(device, { output, input, factor: 2_654_435_761, add: 7, count });
  const found = download(device, output);
  const wrong = found.findIndex(
    (one, index) => one !== (Math.imul(index, 2_654_435_761) + 7) >>> 0,
  );
  assert.equal(wrong, -1, `element ${wrong} is ${found[wrong]}`);
  free(input, output);
  return `${count} elements`;
}

function ordinaryUpload(device: CudaDevice): string {
  const bytes = new Uint8Array(64 * mib).fill(1);
  const target = buffer(device, bytes.length);
  device.stream.upload({ buffer: target }, bytes);
  bytes.fill(2);
  const found = new Uint8Array(bytes.length);
  device.stream.download({ buffer: target }, found);
  assert(Buffer.alloc(found.length, 1).equals(found), "later bytes were read");
  free(target);
  return "64 MiB";
}

function pinnedCopies(device: CudaDevice): string {
  const size = 256 * mib;
  const pinned = device.memory.allocatePinned(size);
  const [one, two] = [buffer(device, size), buffer(device, size)];
  pinned.bytes.fill(0x5a);
  const up = timed(device, () => device.stream.upload({ buffer: one }, pinned.bytes));
  const across = timed(device, () => device.stream.copy({ buffer: two }, { buffer: one }, size));
  pinned.bytes.fill(0);
  const down = timed(device, () => device.stream.download({ buffer: two }, pinned.bytes));
  assert(Buffer.alloc(size, 0x5a).equals(pinned.bytes), "the bytes did not come back");
  pinned.free();
  free(one, two);
  const speed = (ms: number) => `${(size / 1e6 / ms).toFixed(1)} GB/s`;
  return `to the GPU ${speed(up)}, on it ${speed(across)}, back ${speed(down)}`;
}

/** Buffers of one size on three streams, handed on while the streams are still busy. */
function streamOrder(device: CudaDevice): string {
  const rounds = 20;
  const lives = 32;
  const streams = [device.stream, device.createStream(), device.createStream({ priority: "high" })];
  const results = buffer(device, lives * 4);
  const busy = device.module(proofKernels).kernel("busy");
  for (let round = 0; round < rounds; round++) {
    for (let life = 0; life < lives; life++) {
      const stream = streams[(life * 7 + round * 5 + (life >> 2)) % streams.length];
      assert(stream !== undefined);
      const one = device.memory.allocate(4);
      if ((life + round) % 3 === 0) {
        stream.launch(busy, { grid: 1, block: 1, args: [{ i64: 50_000 }] });
      }
      stream.upload({ buffer: one }, bytesOf(Uint32Array.of(round * lives + life)));
      stream.copy({ buffer: results, offsetBytes: life * 4 }, { buffer: one }, 4);
      one.free();
    }
    for (const stream of streams) stream.synchronize();
    const expected = Array.from({ length: lives }, (_, life) => round * lives + life);
    assert.deepEqual([...download(device, results)], expected);
  }
  free(results);
  for (const stream of streams.slice(1)) stream.close();
  return `${rounds * lives} buffers`;
}

function sharedMemory(device: CudaDevice): string {
  const count = 16 * 1024;
  const output = buffer(device, count * 4);
  const kernel = device.module(proofKernels).kernel("through_shared");
  const args = [{ ptr: output }, { i32: count }] as const;
  device.stream.launch(kernel, { grid: 1, block: 256, sharedBytes: count * 4, args });
  const found = new Float32Array(download(device, output).buffer);
  assert(found.every((value, index) => value === count - 1 - index));
  free(output);
  return "64 KiB";
}

async function settledWait(device: CudaDevice, clock: Clock): Promise<string> {
  const busy = device.module(proofKernels).kernel("busy");
  const [start, end] = [device.createEvent(), device.createEvent()];
  device.stream.record(start);
  device.stream.launch(busy, { grid: 1, block: 1, args: [{ i64: 100_000_000 }] });
  device.stream.record(end);
  let turns = 0;
  const ticker = { stop: false };
  const tick = () => {
    turns += 1;
    if (!ticker.stop) clock.setTimer(1, tick);
  };
  tick();
  await device.stream.settled();
  ticker.stop = true;
  assert(end.isDone());
  const ms = end.elapsedMsSince(start);
  start.close();
  end.close();
  return `${ms.toFixed(1)} ms of work, ${turns} turns of the event loop`;
}

function launchCost(device: CudaDevice, clock: Clock): string {
  const launches = 20_000;
  const kernel = device.module(proofKernels).kernel("nothing");
  const launch = { grid: 1, block: 1, args: [{ i32: 0 }] } as const;
  for (let index = 0; index < 1000; index++) device.stream.launch(kernel, launch);
  device.stream.synchronize();
  const startMs = clock.monotonicMs();
  for (let index = 0; index < launches; index++) device.stream.launch(kernel, launch);
  device.stream.synchronize();
  return `${(((clock.monotonicMs() - startMs) * 1000) / launches).toFixed(2)} µs each`;
}

function shortage(device: CudaDevice): string {
  const held = device.memory.allocate(8 * mib, { purpose: "the proof" });
  const { totalBytes } = device.memory.available();
  assert.throws(
    () => device.memory.allocate(totalBytes, { purpose: "all of it" }),
    /CUDA_ERROR_OUT_OF_MEMORY \(2\)\. .*all of it.*the proof 8 MiB/,
  );
  free(held);
  device.memory.trim();
  assert.deepEqual(
    { ...device.memory.accounts(), peakBytes: 0 },
    { inUseBytes: 0, pooledBytes: 0, peakBytes: 0, buffers: 0, pinnedBytes: 0 },
  );
  device.synchronize();
  return `of ${totalBytes} bytes; nothing is left in use`;
}

function illegalAddress(device: CudaDevice): string {
  const kernel = device.module(proofKernels).kernel("wild");
  device.stream.launch(kernel, { grid: 1, block: 1, args: [{ ptr: 0x10n }] });
  assert.throws(
    () => device.synchronize(),
    /CUDA_ERROR_ILLEGAL_ADDRESS \(700\)\. .*last the kernel wild/,
  );
  assert.throws(() => device.memory.allocate(mib), /cannot be used by this process any more/);
  return "named, and by every call after it";
}

interface Affine {
  readonly output: DeviceBuffer;
  readonly input: DeviceBuffer;
  readonly factor: number;
  readonly add: number;
  readonly count: number;
}

function affine(device: CudaDevice, { output, input, factor, add, count }: Affine): void {
  const args: readonly KernelArg[] = [
    { ptr: output },
    { ptr: input },
    { u32: factor },
    { u32: add },
    { i64: count },
  ];
  const kernel = device.module(proofKernels).kernel("affine");
  device.stream.launch(kernel, { grid: 264, block: 256, args });
}

function timed(device: CudaDevice, work: () => void): number {
  const [start, end] = [device.createEvent(), device.createEvent()];
  device.stream.record(start);
  work();
  device.stream.record(end);
  device.stream.synchronize();
  const ms = end.elapsedMsSince(start);
  start.close();
  end.close();
  return ms;
}

function buffer(device: CudaDevice, bytes: number): DeviceBuffer {
  return device.memory.allocate(bytes, { purpose: "the proof" });
}

function free(...buffers: readonly DeviceBuffer[]): void {
  for (const one of buffers) one.free();
}

function bytesOf(values: Uint32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function download(device: CudaDevice, source: DeviceBuffer): Uint32Array {
  const values = new Uint32Array(source.bytes / 4);
  device.stream.download({ buffer: source }, bytesOf(values));
  return values;
}
