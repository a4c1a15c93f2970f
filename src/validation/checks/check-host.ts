import { cpus } from "node:os";
import { describeHost } from "../../platform/doctor/index.ts";
import type { CheckHost } from "./check.ts";

/** What is known about this machine; its GPUs are for the caller to find out. */
export function describeCheckHost(gpus: readonly string[] = []): CheckHost {
  const { os, arch, cpus: count, memoryBytes } = describeHost();
  const cpuModel = cpus()[0]?.model.replaceAll(/\s+/g, " ").trim() ?? "";
  return { os, arch, cpus: count, cpuModel, memoryBytes, gpus };
}
