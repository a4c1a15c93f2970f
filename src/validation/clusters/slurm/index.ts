export { openSlurm } from "./open-slurm.ts";
export { type SlurmProbeOptions, slurmProbe } from "./probe.ts";
export { createSlurmCluster, type SlurmClusterOptions } from "./slurm-cluster.ts";
