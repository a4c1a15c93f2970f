import type { OpRecord } from "../../../src/runtime/profile/index.ts";

/** The all-reduce of seed 3.4, with the times a model gives it. */
export const allReduce: OpRecord = {
  op: "all-reduce",
  kind: "collective",
  bytes: 67_108_864,
  flops: 0,
  devices: 72,
  groups: 1,
  timeUs: 352,
  source: "modelled",
  algorithm: "nvls",
  dtype: "f32",
  shape: [4096, 4096],
  topology: "gb200-nvl72",
  axes: ["dp"],
  algbwGBps: 190.65,
  busbwGBps: 376.004,
  linkPercent: 41.778,
  bisectionPercent: 41.8,
  aggregatePercent: 20.9,
};

/** A product of matrices on a device whose peak is known. */
export const matmul: OpRecord = {
  op: "matmul",
  kind: "compute",
  bytes: 3 * 1024 * 1024 * 4,
  flops: 2 * 1024 ** 3,
  devices: 1,
  groups: 1,
  timeUs: 4000,
  source: "modelled",
  peakGflops: 1000,
};

/** An operation of which nobody knows how long it takes. */
export const untimed: OpRecord = {
  op: "send-recv",
  kind: "copy",
  bytes: 16,
  flops: 0,
  devices: 2,
  groups: 1,
  timeUs: undefined,
  source: "modelled",
};
