export { parseTopology } from "./parse-topology.ts";
export type {
  Calibration,
  Fabric,
  Gpu,
  MeasuredFit,
  Network,
  Sourced,
  Topology,
} from "./topology.ts";
export { topologyNames, topologyOf } from "./topology-of.ts";
