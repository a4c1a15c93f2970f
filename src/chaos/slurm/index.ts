/** Experiments on a job that somebody runs under Slurm. */
export { createDaemonHook, type DaemonCommand } from "./daemon-commands.ts";
export { clearLeftovers, findLeftovers, type Leftover } from "./leftovers.ts";
export { markOf, markText, type NodeMark, optInMark } from "./marks.ts";
export { slurmRefusals } from "./refusals.ts";
export type { SlurmWorldOptions } from "./slurm-options.ts";
export { createSlurmWorld, dryRunOnSlurm, nodesOfJob, recoverOnSlurm } from "./slurm-world.ts";
