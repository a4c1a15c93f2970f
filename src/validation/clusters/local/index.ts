export { createLocalCluster } from "./local-cluster.ts";
export { localNodeName } from "./node-name.ts";
export type { LocalClusterOptions } from "./options.ts";
