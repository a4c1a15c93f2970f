import { runProcess } from "../../src/platform/process/index.ts";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import {
  fillSymmetricF32,
  type KernelEngine,
  matmulF32,
} from "../../src/runtime/tensor/kernels/index.ts";
import type { Bench, BenchMetric } from "../bench.ts";

const clock = createRealClock();
const openBlasShareMin = 0.35;
const repetitions = 3;
const stream = { key: [1, 2], counterHigh: [3, 4] } as const;

/** Multiplies two matrices and prints the fastest time in seconds. Arguments: size, repetitions. */
const numpyProgram = `
import sys, time
import numpy
size, repetitions = int(sys.argv[1]), int(sys.argv[2])
rng = numpy.random.default_rng(1)
a = rng.random((size, size), dtype=numpy.float32)
b = rng.random((size, size), dtype=numpy.float32)
a @ b
best = float("inf")
for _ in range(repetitions):
    start = time.perf_counter()
    a @ b
    best = min(best, time.perf_counter() - start)
print(best, numpy.__version__)
`;

export const bench: Bench = {
  name: "tensor/matmul",
  description:
    "Products of square f32 matrices in WebAssembly, with one thread against OpenBLAS (numpy, one thread), against the TypeScript twin and against two threads; and random values a second.",
  run: async ({ log, quick }) => {
    const size = quick ? 128 : 1024;
    const rounds = quick ? 1 : 7;
    const twinSize = quick ? 64 : 256;
    log(`${rounds} interleaved rounds of ${size} x ${size}, the fastest counts`);
    const best = { one: Infinity, two: Infinity, peer: Infinity };
    const matrices = createMatrices(size);
    let peerNote = "";
    for (let round = 0; round < rounds; round++) {
      best.one = Math.min(
        best.one,
        fastestMs(() => matrices.multiply({ threads: 1 })),
      );
      best.two = Math.min(
        best.two,
        fastestMs(() => matrices.multiply({ threads: 2 })),
      );
      const peer = await measureNumpy(size);
      best.peer = Math.min(best.peer, peer.timeMs);
      peerNote = peer.note;
    }
    log(`the twin, ${twinSize} x ${twinSize}, and random values`);
    const small = createMatrices(twinSize);
    const smallMs = fastestMs(() => small.multiply({ engine: "wasm", threads: 1 }));
    const twinMs = fastestMs(() => small.multiply({ engine: "typescript" }));
    const limit = quick ? {} : { limit: openBlasShareMin };
    const ofPeer = {
      ...ratio("WebAssembly to OpenBLAS, one thread", best.peer / best.one),
      ...limit,
    };
    return {
      metrics: [
        speed("WebAssembly, one thread", gigaflops(size, best.one)),
        speed("WebAssembly, two threads", gigaflops(size, best.two)),
        speed("TypeScript twin", gigaflops(twinSize, twinMs)),
        ratio("two threads to one", best.one / best.two),
        ratio("WebAssembly to its twin", twinMs / smallMs),
        ...(best.peer === Infinity
          ? []
          : [speed("OpenBLAS, one thread", gigaflops(size, best.peer)), ofPeer]),
        randomSpeed(quick),
      ],
      notes: [peerNote],
    };
  },
};

function createMatrices(size: number) {
  const create = () => new Float32Array(new SharedArrayBuffer(4 * size * size));
  const [a, b, out] = [create(), create(), create()];
  fillSymmetricF32({ ...stream, startIndex: 0, count: a.length, out: a });
  fillSymmetricF32({ ...stream, startIndex: a.length, count: b.length, out: b });
  return {
    multiply: (how: { engine?: KernelEngine; threads?: number }) => {
      matmulF32({ a, b, out, m: size, k: size, n: size, ...how });
    },
  };
}

/** The fastest of some runs, after one that only warms up. */
function fastestMs(work: () => void): number {
  work();
  const times = Array.from({ length: repetitions }, () => {
    const startMs = clock.monotonicMs();
    work();
    return clock.monotonicMs() - startMs;
  });
  return Math.min(...times);
}

/** How long numpy takes; an infinite time and the reason when it cannot be measured. */
async function measureNumpy(size: number): Promise<{ timeMs: number; note: string }> {
  const args = ["-c", numpyProgram, String(size), String(repetitions)];
  const env = { OPENBLAS_NUM_THREADS: "1", OMP_NUM_THREADS: "1", MKL_NUM_THREADS: "1" };
  try {
    const done = await runProcess("python3", args, { clock, timeoutMs: 120_000, env });
    const [seconds = "", version = ""] = done.stdout.trim().split(" ");
    if (done.exitCode === 0) return { timeMs: 1000 * Number(seconds), note: `numpy ${version}` };
    const reason = done.stderr.trim().split("\n").at(-1) ?? "";
    return { timeMs: Infinity, note: `OpenBLAS not measured: ${reason}` };
  } catch {
    return { timeMs: Infinity, note: "OpenBLAS not measured: there is no python3" };
  }
}

function randomSpeed(quick: boolean): BenchMetric {
  const count = quick ? 2 ** 18 : 2 ** 24;
  const out = new Float32Array(new SharedArrayBuffer(4 * count));
  const timeMs = fastestMs(() => {
    fillSymmetricF32({ ...stream, startIndex: 0, count, out, threads: 1 });
  });
  return speed("random values, one thread", count / timeMs / 1000, "M/s");
}

function gigaflops(size: number, timeMs: number): number {
  return (2 * size ** 3) / timeMs / 1e6;
}

function speed(name: string, value: number, unit = "GFLOP/s"): BenchMetric {
  return { name, value, unit, provenance: "measured", better: "higher" };
}

function ratio(name: string, value: number): BenchMetric {
  return speed(name, value, "x");
}
