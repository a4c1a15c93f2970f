export { type KernelLogProbeOptions, kernelLogProbe } from "./kernel-log-probe.ts";
