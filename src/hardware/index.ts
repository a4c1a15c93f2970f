export {
  createFaultClient,
  type FaultClient,
  type FaultClientOptions,
  type FaultFilter,
  openPortForward,
  type PortForward,
  type PortForwardOptions,
  type ToldFault,
} from "./client/index.ts";
export {
  type HardwareManifestOptions,
  type HardwareRight,
  hardwareManifests,
  hardwareRights,
} from "./deployment/index.ts";
export {
  type Cordon,
  type CordonedBy,
  createNvSentinelSimulator,
  type NvSentinelSimulator,
  type NvSentinelSimulatorOptions,
  nvSentinelConformance,
  readXidLine,
  runConformance,
  whoCordoned,
} from "./detectors/index.ts";
export {
  HwFaultManager,
  type HwFaultManagerOptions,
  type InferenceRequest,
  judgeRecovery,
  ManagedDeployment,
  type ManagedDeploymentOptions,
  type PhaseTimes,
  type RecoveryBounds,
  type RecoveryJudgement,
  type RecoveryRecord,
  recoveryReport,
  runScenario,
  type ScenarioOptions,
  type ScenarioResult,
  wilsonInterval,
} from "./harness/index.ts";
export { type KernelLogProbeOptions, kernelLogProbe } from "./kernel-log/index.ts";
export type {
  CudaFault,
  CustomWorkload,
  FaultAction,
  FaultState,
  HardwareFault,
  WorkloadKind,
  WorkloadRef,
} from "./objects/index.ts";
export { withPassthrough } from "./workload/index.ts";
export {
  correlationIdIn,
  formatXidLine,
  type ParsedLine,
  parseKernelLine,
  sequenceLines,
  type XidEntry,
  xidCatalogue,
  xidEntry,
  xidSequences,
  xidSources,
} from "./xid/index.ts";
