import { causesOf } from "../cause.ts";
import type { FailureModel } from "../failure-model.ts";
import { parameter } from "../parameter.ts";
import { noMemory, shared, softwareShape } from "./shared.ts";

const mix =
  "the mix is that of the 40 lemon nodes of both clusters, in tenths of a percent: no table of all failures is published";

/** Root causes of lemon nodes stand in for those of all failures. */
const causes = causesOf([
  ["GPU", 282, "device", "kill_device"],
  ["DIMM", 205, "node", "fail_node"],
  ["PCIe", 154, "device", "off_bus"],
  ["GPU diagnostics", 103, "device", "kill_device"],
  ["BIOS", 77, "node", "fail_node"],
  ["NIC", 77, "node", "fail_node"],
  ["power supply", 51, "node", "fail_node"],
  ["optics", 26, "network", "partition"],
]);

const software = {
  perJobDay: parameter(
    0,
    "stops a job and day",
    "rsc",
    "not published apart: 1,024-GPU jobs stopped every 7.9 h where the node rate says 28.9 h, which would be 2.2 a day if all of it were software",
  ),
  shape: softwareShape,
  plannedPerJobDay: parameter(0, "stops a job and day", "rsc", "not published"),
};

/** 16,000 A100, eleven months, many jobs. */
export const rsc1: FailureModel = {
  format: "tessera-failure-model/1",
  name: "rsc1",
  version: 1,
  title: "Meta RSC-1, 16,000 A100, 11 months",
  causes,
  hardware: {
    perThousandNodeDays: parameter(6.5, "stops per 1,000 node-days", "rsc", mix),
    shape: noMemory,
  },
  software,
  ...shared,
};

/** The smaller and quieter sister of RSC-1. */
export const rsc2: FailureModel = {
  ...rsc1,
  name: "rsc2",
  title: "Meta RSC-2, 8,000 A100, 11 months",
  hardware: {
    perThousandNodeDays: parameter(2.34, "stops per 1,000 node-days", "rsc", mix),
    shape: noMemory,
  },
};
