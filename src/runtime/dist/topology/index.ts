export { parseTopology } from "./parse-topology.ts";
export type { Calibration, Fabric, Gpu, Network, Sourced, Topology } from "./topology.ts";
export { topologyNames, topologyOf } from "./topology-of.ts";
