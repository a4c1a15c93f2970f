import { combineReports } from "../../../../src/validation/checks/dl-unit/combine.ts";
import type { DeviceReport } from "../../../../src/validation/checks/dl-unit/device-report.ts";
import type { Execution } from "../../../../src/validation/checks/index.ts";
import { figuresOf, sizeFacts } from "../../../../src/validation/checks/nccl-loopback/results.ts";
import type { CheckPageAbout } from "../../../../src/validation/checks/report/index.ts";
import { figuresFrom } from "../../../../src/validation/checks/storage-io/figures.ts";
import type { RunResult } from "../../../../src/validation/run.ts";

const startedAtMs = Date.UTC(2026, 10, 18, 9, 30);

/** A run that came to its end, changed as told. */
export function executionOf(change: Partial<RunResult> = {}, thrown?: unknown): Execution {
  const nothing = { figures: {}, hardFacts: [], facts: {} };
  const times = { startedAtMs, endedAtMs: startedAtMs + 2050 };
  const result = { outcome: "completed", ...times, ...nothing, ...change } as const;
  return thrown === undefined ? { result } : { result, thrown };
}

/** What a page is about, changed as told. */
export function aboutOf(change: Partial<CheckPageAbout> = {}): CheckPageAbout {
  return {
    check: { name: "sample", title: "A sample" },
    profile: "quick",
    hostName: "node-7",
    host: {
      os: "linux",
      arch: "x64",
      cpus: 2,
      cpuModel: "AMD EPYC",
      memoryBytes: 16 * 2 ** 30,
      gpus: [],
    },
    versions: { Tessera: "0.1.0", Node: "v22.0.0" },
    options: {},
    timeoutMs: 60_000,
    seed: "42",
    ...change,
  };
}

const wave = (length: number, about: number) =>
  Array.from({ length }, (_, at) => about * (1 + 0.05 * Math.sin(at)));

/** As `host-compute` hands it in. */
export const hostCompute = {
  figures: {
    gflops: { samples: wave(40, 41), higherIsBetter: true, unit: "GFLOP/s" },
    memory_gbps: { samples: wave(40, 20), higherIsBetter: true, unit: "GB/s" },
  },
  facts: { version: "0.1.0", cpuModel: "AMD EPYC", threads: 2, loadAverage: 0.5, durationMs: 2049 },
  cohort: "AMD EPYC, 2 threads, wasm, Node v22",
} satisfies Partial<RunResult>;

const models: readonly string[] = Array.from({ length: 8 }, () => "NVIDIA H200");
export const eightGpus = { ...aboutOf().host, gpus: models };

/** As `dl-unit` puts the reports of eight GPUs together; the third is slower than the others. */
export function dlUnit(): Pick<RunResult, "figures" | "facts"> {
  const reports = models.map((model, index): DeviceReport => {
    const slow = index === 2 ? 0.8 : 1;
    const rate = (value: number, unit: string) => {
      return { samples: wave(20, slow * value), unit, higherIsBetter: true };
    };
    return {
      device: { name: `gpu ${index}`, index, model, uuid: `GPU-${index}a` },
      softwareKey: "cuda NVIDIA H200",
      versions: { driver: "580.159.04" },
      notCovered: { torch: "PyTorch is not installed" },
      cases: [
        {
          name: "gemm-bf16",
          key: "gemm-bf16 8192x8192x8192",
          round: 0,
          styles: ["exact"],
          problems: [],
          digests: { exact: "hash64:bf16[8192,8192]:00" },
          figures: {
            gemm_tflops: rate(700, "TFLOP/s"),
            gemm_f32_tflops: rate(50, "TFLOP/s"),
            hbm_gbps: rate(4300, "GB/s"),
            h2d_gbps: rate(55, "GB/s"),
            step_ms: { samples: wave(20, 3 / slow), unit: "ms", higherIsBetter: false },
          },
          wallMs: 900,
        },
      ],
    };
  });
  return combineReports(reports);
}

export const gemmFact =
  "gpu 2 (GPU-2a): gemm-bf16 8192x8192x8192: 1 of 67108864 elements of an integer product are not what integer arithmetic gives; the first is [12, 771]: 69 expected, 4.3125 found";
export const voteFact =
  "gemm-bf16 8192x8192x8192 random: gpu 2 (GPU-2a) has other bits than the other 7 of 8";

/** As `nccl-loopback` hands it in, over TCP. */
export function ncclLoopback(): Pick<RunResult, "figures" | "facts"> {
  const measured = [8, 65_536, 4 * 2 ** 20].map((bytes, at) => {
    const timesUs = wave(10, 1500 * 3 ** at);
    const gbps = bytes / (1500 * 3 ** at) / 1e3;
    const rates = { timeUs: 1500 * 3 ** at, algbwGBps: gbps, busbwGBps: 1.5 * gbps };
    return { bytes, timesUs, ...rates, wrong: 0, elements: bytes / 4 };
  });
  const notTested = ["GPUs and NCCL: the ranks are processes without a GPU"];
  return {
    figures: figuresOf("tcp", measured, { worldSize: 4 }),
    facts: { mode: "tcp", sizes: sizeFacts(measured), notTested },
  };
}

/** As `storage-io` hands it in. */
export function storageIo(): Pick<RunResult, "figures" | "facts"> {
  const latencyMs = { p50: 0.8, p90: 1.2, p99: 4.1, "p99.9": 12 };
  const totals = { bytes: 2 ** 30, requests: 1024, latencyMeanMs: 1, latencyMs };
  return {
    figures: figuresFrom([
      { write_bw: wave(15, 2.1), write_p99_ms: wave(15, 4) },
      { read_bw: wave(15, 3.2), read_p99_ms: wave(15, 2) },
      { create_per_s: [4100], stat_per_s: [9200] },
    ]),
    facts: { fio: "3.36", direct: true, patterns: { write: totals, read: totals } },
  };
}
