import { causesOf } from "../cause.ts";
import type { FailureModel } from "../failure-model.ts";
import { parameter } from "../parameter.ts";
import { noMemory, shared, softwareShape } from "./shared.ts";

/** 419 unexpected interruptions of 16,384 GPUs in 54 days. */
export const llama3: FailureModel = {
  format: "tessera-failure-model/1",
  name: "llama3",
  version: 1,
  title: "Llama 3 405B, 16,384 H100, 54 days",
  causes: causesOf([
    // The printed percentages add up to 94.9: 148 of 419 are 35.3 %, not 30.1 %.
    ["faulty GPU", 148, "device", "kill_device"],
    ["HBM3", 72, "device", "ecc_error"],
    ["software bug", 54, "job", "restart_worker"],
    ["switch or cable", 35, "network", "partition"],
    ["host maintenance", 32, "node", "fail_node"],
    ["GPU SRAM", 19, "device", "ecc_error"],
    ["GPU system processor", 17, "device", "gsp_error"],
    ["NIC", 7, "node", "fail_node"],
    ["NCCL watchdog", 7, "node", "freeze_worker", "hang"],
    ["silent data corruption", 6, "device", "strided_corruption", "silent"],
    ["thermal interface or sensor", 6, "device", "kill_device"],
    ["SSD", 3, "node", "fail_node"],
    ["power supply", 3, "node", "fail_node"],
    ["chassis", 2, "node", "fail_node"],
    ["IO board", 2, "node", "fail_node"],
    ["dependency", 2, "job", "restart_worker"],
    ["CPU", 2, "node", "fail_node"],
    ["system memory", 2, "node", "fail_node"],
  ]),
  hardware: {
    perThousandNodeDays: parameter(
      3.282,
      "stops per 1,000 node-days",
      "llama3",
      "363 of the 419 in 2,048 nodes x 54 days: all that is not software",
    ),
    shape: noMemory,
  },
  software: {
    perJobDay: parameter(1.037, "stops a job and day", "llama3", "54 + 2 in 54 days of one job"),
    shape: softwareShape,
    plannedPerJobDay: parameter(0.87, "stops a job and day", "llama3", "47 planned in 54 days"),
  },
  ...shared,
};
