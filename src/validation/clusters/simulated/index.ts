export type { PodTrouble, SimulatedClusterOptions } from "./options.ts";
export { createSimulatedCluster, type SimulatedCluster } from "./simulated-cluster.ts";
export {
  type SimulatedDefectKind,
  type SimulatedTruth,
  simulatedDefectKinds,
} from "./truth.ts";
