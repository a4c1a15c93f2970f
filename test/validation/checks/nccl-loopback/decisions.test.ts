import { describe, expect, test } from "vitest";
import {
  chooseMode,
  type LoopbackMachine,
} from "../../../../src/validation/checks/nccl-loopback/choose-mode.ts";
import { loopbackEnvironment } from "../../../../src/validation/checks/nccl-loopback/environment.ts";
import { optionsSchema } from "../../../../src/validation/checks/nccl-loopback/options.ts";
import { planLoopback } from "../../../../src/validation/checks/nccl-loopback/plan.ts";
import {
  figuresOf,
  sentBytesMin,
  wrongAnswers,
} from "../../../../src/validation/checks/nccl-loopback/results.ts";

const port = {
  hca: "mlx5_0",
  port: 1,
  linkLayer: "InfiniBand",
  active: true,
  rateGbps: 400,
  counters: {},
};
const empty: LoopbackMachine = { gpus: 0, ports: [], cpus: 8 };
const choose = (machine: Partial<LoopbackMachine>, options = {}) =>
  chooseMode(optionsSchema.parse(options), { ...empty, ...machine });

describe("what carries the data", () => {
  test("is InfiniBand with GPUs and cards, sockets without cards, TCP without GPUs", () => {
    expect(choose({ gpus: 8, ports: [port] })).toMatchObject({
      mode: "ib",
      ranks: 8,
      hcas: { variable: "=mlx5_0:1" },
    });
    expect(choose({ gpus: 8 })).toMatchObject({ mode: "socket", ranks: 8 });
    expect(choose({})).toMatchObject({ mode: "tcp", ranks: 4, reason: "the machine has no GPU" });
    expect(choose({ cpus: 1 })).toMatchObject({ ranks: 2 });
  });

  test("is never a lesser way because something is broken", () => {
    expect(choose({ gpus: 8, ports: [{ ...port, active: false }] })).toEqual({
      impossible: "no InfiniBand port is active",
    });
    expect(choose({ gpuProblem: "cuInit answers 999", ports: [port] })).toEqual({
      impossible: "no GPU can be used: cuInit answers 999",
    });
  });

  test("is what the user asks for, where the machine has it", () => {
    expect(choose({ gpus: 2, ports: [port] }, { mode: "socket", ranks: 2 })).toMatchObject({
      mode: "socket",
      reason: "asked for",
    });
    expect(choose({ gpus: 2 }, { mode: "tcp", ranks: 3 })).toMatchObject({ mode: "tcp", ranks: 3 });
    expect(choose({}, { mode: "ib" })).toEqual({ impossible: "no GPU can be used: there is none" });
    expect(choose({ gpus: 2 }, { mode: "ib" })).toHaveProperty("impossible");
    expect(choose({ gpus: 2 }, { ranks: 4 })).toEqual({
      impossible: "4 ranks need a GPU each, and there are 2",
    });
    expect(choose({}, { ranks: 1 })).toHaveProperty("impossible");
  });

  test("needs no card for a single GPU", () => {
    expect(choose({ gpus: 1 }, { mode: "ib" })).toMatchObject({ mode: "ib", ranks: 1 });
  });
});

describe("the environment", () => {
  const logFile = "/tmp/log";

  test("of InfiniBand leaves no other way and lets NCCL fail without it", () => {
    expect(loopbackEnvironment("ib", { hcas: "=mlx5_0:1", logFile })).toEqual({
      NCCL_P2P_DISABLE: "1",
      NCCL_SHM_DISABLE: "1",
      NCCL_NET: "IB",
      NCCL_NET_PLUGIN: "none",
      NCCL_IB_HCA: "=mlx5_0:1",
      NCCL_IB_DISABLE: undefined,
      NCCL_NET_GDR_LEVEL: "SYS",
      NCCL_IB_PCI_RELAXED_ORDERING: "1",
      NCCL_PXN_DISABLE: "1",
      NCCL_NVLS_ENABLE: "0",
      NCCL_MNNVL_ENABLE: "0",
      NCCL_COLLNET_ENABLE: "0",
      NCCL_ALGO: "Ring",
      NCCL_PROTO: "Simple",
      NCCL_MIN_NCHANNELS: "16",
      NCCL_CROSS_NIC: "0",
      NCCL_NET_DISABLE_INTRA: undefined,
      CUDA_DEVICE_ORDER: "PCI_BUS_ID",
      NCCL_DEBUG: "INFO",
      NCCL_DEBUG_SUBSYS: "INIT,NET,GRAPH",
      NCCL_DEBUG_FILE: logFile,
    });
  });

  test("of sockets has the same and no InfiniBand; of TCP nothing", () => {
    expect(loopbackEnvironment("socket", { logFile })).toMatchObject({
      NCCL_P2P_DISABLE: "1",
      NCCL_SHM_DISABLE: "1",
      NCCL_NET: "Socket",
      NCCL_IB_DISABLE: "1",
    });
    expect(loopbackEnvironment("tcp", { logFile })).toEqual({});
  });
});

describe("the plan", () => {
  const options = optionsSchema.parse({});

  test("of a standard run by InfiniBand goes from 8 B to 16 GiB", () => {
    const { sizesBytes, iterations } = planLoopback("ib", { profile: "standard", options });
    expect(sizesBytes[0]).toBe(8);
    expect(sizesBytes.at(-1)).toBe(16 * 2 ** 30);
    expect(iterations).toBe(20);
  });

  test("is the user's where he says so, in order and without repetition", () => {
    const own = optionsSchema.parse({ sizesBytes: [4096, 8, 8], iterations: 3, dtype: "f16" });
    expect(planLoopback("tcp", { profile: "quick", options: own })).toMatchObject({
      sizesBytes: [8, 4096],
      iterations: 3,
      dtype: "f16",
    });
    expect(optionsSchema.safeParse({ sizesBytes: [4] }).success).toBe(false);
    expect(optionsSchema.safeParse({ hcas: ["mlx5_0; rm -rf"] }).success).toBe(false);
  });
});

describe("the results", () => {
  const size = (bytes: number, timesUs: number[], change = {}) => ({
    bytes,
    timesUs,
    timeUs: timesUs[0] ?? 0,
    algbwGBps: 1,
    busbwGBps: 1,
    wrong: 0,
    elements: bytes / 2,
    ...change,
  });
  const measured = [size(8, [20, 30]), size(2e9, [1e5, 2e5])];

  test("are bandwidth at the largest size and latency at the smallest, for each run", () => {
    expect(figuresOf("ib", measured, { worldSize: 8 })).toEqual({
      busbw: { samples: [35, 17.5], higherIsBetter: true, unit: "GB/s" },
      latency_us: { samples: [20, 30], higherIsBetter: false, unit: "us" },
    });
    expect(Object.keys(figuresOf("socket", measured, { worldSize: 8 }))).toEqual([
      "socket_busbw",
      "socket_latency_us",
    ]);
    expect(Object.keys(figuresOf("tcp", measured.slice(1), { worldSize: 2 }))).toEqual([
      "tcp_busbw",
    ]);
  });

  test("have other names where a floor would not be fair: small sizes, ranks that share a GPU", () => {
    const small = [size(8, [20]), size(2 ** 20, [30])];
    const names = (o: { worldSize: number; ranksPerGpu?: number }, of = measured) =>
      Object.keys(figuresOf("ib", of, o));
    expect(names({ worldSize: 8 }, small)).toEqual(["small_busbw", "latency_us"]);
    expect(names({ worldSize: 2, ranksPerGpu: 2 })).toEqual(["shared_busbw", "shared_latency_us"]);
    expect(names({ worldSize: 2, ranksPerGpu: 1 })).toEqual(["busbw", "latency_us"]);
  });

  test("of a rank alone are no figures", () => {
    expect(figuresOf("ib", measured, { worldSize: 1 })).toEqual({});
  });

  test("name what is wrong", () => {
    expect(wrongAnswers(measured)).toEqual([]);
    const wrong = size(4096, [1], { wrong: 3, firstWrong: "rank 1: element 7 is 1 instead of 2" });
    expect(wrongAnswers([wrong])).toEqual([
      "wrong answer: 3 of 2048 elements of an all-reduce of 4 KiB are wrong; rank 1: element 7 is 1 instead of 2",
    ]);
  });

  test("say what the cards must have sent", () => {
    const all = sentBytesMin([size(1000, [1])], { worldSize: 8, iterations: 10 });
    expect(all).toBe(14 * 1000 * 10 * 0.99);
  });
});
