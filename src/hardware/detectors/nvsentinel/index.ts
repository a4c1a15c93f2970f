export {
  type BreakerSettings,
  type BreakerStatus,
  breakerDefaults,
  breakerThreshold,
} from "./breaker.ts";
export {
  type ConformanceDriver,
  type ConformanceResult,
  runConformance,
} from "./conformance.ts";
export { type ConformanceStep, nvSentinelConformance } from "./conformance-steps.ts";
export { describeNvSentinel, type NvSentinelFound, type NvSentinelPart } from "./describe.ts";
export { type DrainMode, type DrainSettings, drainDefaults } from "./drain.ts";
export {
  type HealthEvent,
  healthyEvent,
  type RecommendedAction,
  type XidReading,
  xidEvent,
} from "./health-event.ts";
export { nvSentinelNames, timeOfLabel } from "./names.ts";
export { type NodeSurface, nodeSurface } from "./node-surface.ts";
export { isGpuNode, isOptedOutBy, type QuarantineStatus } from "./quarantine.ts";
export { type Remediation, remediationKind } from "./remediation.ts";
export { createNvSentinelSimulator, type NvSentinelSimulator } from "./simulator.ts";
export type { NodeKernelLog, NvSentinelSimulatorOptions } from "./simulator-options.ts";
