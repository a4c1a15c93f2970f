export {
  judgeRecovery,
  type RecoveryBounds,
  type RecoveryFacts,
  type RecoveryFinding,
  type RecoveryJudgement,
} from "./judge-recovery.ts";
export {
  type Observation,
  type PhaseName,
  type PhaseTimes,
  phaseNames,
  type RecoveryEvent,
  RecoveryTracker,
} from "./phases.ts";
export { recoveryPlot } from "./recovery-plot.ts";
export type { RecoveryRecord } from "./recovery-record.ts";
export { type RecoveryReportOptions, recoveryReport } from "./recovery-report.ts";
export { type RequestSample, type RequestSampler, startSampler } from "./sampler.ts";
export { type ServiceShares, sharesOf } from "./shares.ts";
export { type ShareInterval, wilsonInterval } from "./wilson.ts";
