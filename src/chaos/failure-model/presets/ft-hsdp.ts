import { causesOf } from "../cause.ts";
import type { FailureModel } from "../failure-model.ts";
import { parameter } from "../parameter.ts";
import { noMemory, shared, softwareShape } from "./shared.ts";

/** 678 interruptions of about 98,000 GPUs. */
export const ftHsdp: FailureModel = {
  format: "tessera-failure-model/1",
  name: "ft-hsdp",
  version: 1,
  title: "Meta FT-HSDP, about 98,000 GPUs",
  causes: causesOf([
    ["HBM", 155, "device", "ecc_error"],
    ["PCIe device", 122, "device", "off_bus"],
    ["NCCL watchdog", 61, "node", "freeze_worker", "hang"],
    ["GPU compute", 50, "device", "kill_device"],
    ["software bug", 48, "job", "restart_worker"],
    ["host maintenance", 42, "node", "fail_node"],
    ["kernel fault", 39, "node", "fail_node"],
    ["reboot", 38, "node", "fail_node"],
    ["numerics", 37, "device", "strided_corruption", "silent"],
    ["switch or cable", 36, "network", "partition"],
    ["SSD", 30, "node", "fail_node"],
    ["GPU SRAM", 8, "device", "ecc_error"],
    ["unknown", 7, "node", "fail_node"],
    ["cooling", 2, "node", "fail_node"],
    ["DRAM", 2, "node", "fail_node"],
    ["thermal", 1, "device", "kill_device"],
  ]),
  hardware: {
    perThousandNodeDays: parameter(
      2.137,
      "stops per 1,000 node-days",
      "ftHsdp",
      "2.3 for all causes, of which 630 of 678 are not software; the same paper's failure every 18 minutes at 100,000 GPUs is three times as often",
    ),
    shape: noMemory,
  },
  software: {
    perJobDay: parameter(
      2,
      "stops a job and day",
      "derived",
      "48 in 24 days: 678 events at 2.3 per 1,000 server-days on 12,288 servers of 8 GPUs",
    ),
    shape: softwareShape,
    plannedPerJobDay: parameter(0, "stops a job and day", "ftHsdp", "not published"),
  },
  ...shared,
};
