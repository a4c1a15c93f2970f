export { type FollowKernelLogOptions, followKernelLog } from "./follow-kernel-log.ts";
export { type KernelLogProbeOptions, kernelLogProbe } from "./kernel-log-probe.ts";
export {
  type KernelLogWriter,
  type KernelLogWriterOptions,
  openKernelLogWriter,
} from "./kernel-log-writer.ts";
export type { KernelRecord } from "./kmsg-record.ts";
