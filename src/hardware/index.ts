export { type KernelLogProbeOptions, kernelLogProbe } from "./kernel-log/index.ts";
