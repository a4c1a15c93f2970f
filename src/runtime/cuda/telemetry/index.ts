export { type CounterChanges, type CounterName, counterChanges } from "./counter-changes.ts";
export { type OpenTelemetryOptions, openGpuTelemetry } from "./open-telemetry.ts";
export { normalizePciBusId } from "./pci-bus-id.ts";
export type { ReadingName, Spread, TelemetrySummary } from "./reading-summary.ts";
export {
  createTelemetrySampler,
  type TelemetrySampler,
  type TelemetrySamplerOptions,
} from "./sampler.ts";
export type {
  GpuCounters,
  GpuReading,
  GpuTelemetry,
  ThrottleReason,
  XidEvent,
} from "./telemetry.ts";
export { slowsDown } from "./throttle-reasons.ts";
export {
  type KernelLogMark,
  markKernelLog,
  type ReadXidsOptions,
  readXids,
  type XidBlame,
  type XidsRead,
  xidBlame,
} from "./xid/index.ts";
