import type { CudaDevice, DeviceBuffer } from "../../src/runtime/cuda/index.ts";
import {
  fillPattern,
  type MemoryPattern,
  verifyPattern,
} from "../../src/runtime/cuda/ops/patterns.ts";
import type { Bench } from "../bench.ts";
import { median } from "../lib/median.ts";
import { clock, gpuNote, measured, missingGpu, onGpu } from "./gpu.ts";

const shareOfCopyMin = 0.85;
const patterns: readonly MemoryPattern[] = [
  { kind: "byte", byte: 0x00 },
  { kind: "byte", byte: 0xff },
  { kind: "byte", byte: 0xaa },
  { kind: "byte", byte: 0x55 },
  { kind: "address" },
  { kind: "random", seed: 1 },
];

export const bench: Bench = {
  name: "cuda/hbm-walk",
  description:
    "Memory filled with six patterns and compared with them, in bytes written and read a second, against a copy from one half of the memory to the other.",
  requires: missingGpu,
  run: async ({ log, quick }) =>
    onGpu(async (device) => {
      const wanted = quick ? 2 ** 28 : 32 * 2 ** 30;
      const free = device.memory.available().freeBytes;
      const bytes = Math.floor(Math.min(wanted, free / 3) / 4096) * 4096;
      using one = device.memory.allocate(bytes, { purpose: "a walk" });
      using other = device.memory.allocate(bytes, { purpose: "a copy" });
      const rounds = quick ? 1 : 5;
      const copies: number[] = [];
      const walks: number[] = [];
      for (let round = 0; round <= rounds; round++) {
        const copied = copyGBps(device, one, other);
        const walked = walkGBps(device, one);
        // The first round warms up and compiles.
        if (round === 0) continue;
        copies.push(copied);
        walks.push(walked);
        log(`round ${round}: copy ${copied.toFixed(0)}, walk ${walked.toFixed(0)} GB/s`);
      }
      const limit = quick ? {} : { limit: shareOfCopyMin };
      return {
        metrics: [
          measured("device-to-device copy, read and written", median(copies), "GB/s"),
          measured("walk, written and read", median(walks), "GB/s"),
          measured("walk to copy", median(walks) / median(copies), "x", limit),
        ],
        notes: [gpuNote(), `${bytes} bytes, ${patterns.length} patterns, by the host's clock`],
      };
    }),
};

function copyGBps(device: CudaDevice, from: DeviceBuffer, to: DeviceBuffer): number {
  const { bytes } = from;
  const times = patterns.length;
  const tookMs = timedMs(device, () => {
    for (let time = 0; time < times; time++) {
      device.stream.copy({ buffer: to }, { buffer: from }, bytes);
    }
  });
  return (2 * times * bytes) / tookMs / 1e6;
}

function walkGBps(device: CudaDevice, buffer: DeviceBuffer): number {
  const { bytes } = buffer;
  const tookMs = timedMs(device, () => {
    for (const pattern of patterns) {
      fillPattern(device, { buffer, bytes, pattern });
      const wrong = verifyPattern(device, { buffer, bytes, pattern });
      if (wrong !== undefined) throw new Error(`${wrong.words} words of memory are wrong`);
    }
  });
  return (2 * patterns.length * bytes) / tookMs / 1e6;
}

function timedMs(device: CudaDevice, work: () => void): number {
  device.synchronize();
  const startedMs = clock.monotonicMs();
  work();
  device.synchronize();
  return clock.monotonicMs() - startedMs;
}
