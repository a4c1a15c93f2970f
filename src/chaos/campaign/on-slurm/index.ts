/** A campaign too large for one machine, where Slurm is: a job array, one range of runs for each task. */
export { arrayJob } from "./array-job.ts";
export { CampaignFolder } from "./campaign-folder.ts";
export { makePartFile } from "./make-part-file.ts";
export {
  runCampaignOnSlurm,
  type SlurmCampaignOptions,
  type SlurmCampaignProgress,
} from "./run-on-slurm.ts";
export { taskState } from "./task-state.ts";
