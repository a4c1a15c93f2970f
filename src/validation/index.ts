export {
  type RunOutcome,
  runOutcomes,
  type Verdict,
  verdicts,
} from "../platform/words.ts";
export { type BatchOptions, type BatchRun, type BatchSummary, runBatch } from "./batch/index.ts";
export { type Check, checkCatalogue, defineCheck } from "./checks/index.ts";
export { fioProbe } from "./checks/storage-io/index.ts";
export {
  type CheckRun,
  type ClassifiedRun,
  type ClassifyFinding,
  type ClassifyOptions,
  classifyRuns,
} from "./classify/index.ts";
export type {
  Cluster,
  ClusterNode,
  ClusterView,
  JobRequest,
  JobView,
  NotFreeReason,
} from "./clusters/cluster.ts";
export { getFreeNodeList } from "./clusters/free-nodes.ts";
export {
  createKubernetesCluster,
  type KubernetesClusterOptions,
  kubernetesRights,
} from "./clusters/kubernetes/index.ts";
export { createLocalCluster, type LocalClusterOptions } from "./clusters/local/index.ts";
export {
  createSimulatedCluster,
  type SimulatedCluster,
  type SimulatedClusterOptions,
} from "./clusters/simulated/index.ts";
export { getDbLatestStatus, type History, openHistory } from "./history/index.ts";
export {
  createLeaseLeadership,
  createStoreLeadership,
  type Leadership,
} from "./leadership/index.ts";
export { createPlanner, type Plan, type PlannedRun, plannedRuns } from "./plan/index.ts";
export { buildPriorityQueue, type LatestStatus, type QueueEntry } from "./prioritize/index.ts";
export { resolveValidationSettings } from "./resolve-settings.ts";
export type { OpenRun, RunIntent, RunRecord, RunResult, RunVerdict } from "./run.ts";
export type { ValidationSettings } from "./settings.ts";
