export type { FaultService, ServiceCall, TestFault } from "./fault-service.ts";
export type { XidOptions } from "./fault-steps.ts";
export { HwFaultManager, type HwFaultManagerOptions } from "./hw-fault-manager.ts";
export type { InferenceRequest, PodRequest, ServiceRequest, UrlRequest } from "./inference.ts";
export { ManagedDeployment, type TestMetrics } from "./managed-deployment.ts";
export type {
  FaultApiChoice,
  MadeWorkload,
  ManagedDeploymentOptions,
  NamedWorkload,
} from "./options.ts";
export {
  judgeRecovery,
  type PhaseName,
  type PhaseTimes,
  phaseNames,
  type RecoveryBounds,
  type RecoveryEvent,
  type RecoveryFacts,
  type RecoveryFinding,
  type RecoveryJudgement,
  type RecoveryRecord,
  type RecoveryReportOptions,
  type RequestSample,
  recoveryReport,
  type ServiceShares,
  type ShareInterval,
  wilsonInterval,
} from "./recovery/index.ts";
export type { RecoveryMeasurement, SamplingOptions } from "./recovery-measurement.ts";
export { runScenario, type ScenarioOptions, type ScenarioResult } from "./scenario.ts";
