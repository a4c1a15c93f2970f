/** Ranks on the nodes of a Slurm cluster: an allocation by salloc, steps by srun. */
export { allocateNodes } from "./allocate.ts";
export { type AllocationRequest, allocationArguments } from "./allocation-request.ts";
export { batchScript } from "./batch-script.ts";
export { nodeNames } from "./job-problem.ts";
export { toRankLines } from "./rank-lines.ts";
export { createSrunLauncher } from "./srun-launcher.ts";
export type { StepMessage } from "./step-messages.ts";
export type { SlurmTools } from "./tools.ts";
