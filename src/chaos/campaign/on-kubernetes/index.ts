/** A campaign too large for one machine: an indexed Job, one range of runs for each pod. */
export { campaignJob, campaignLabel, partVariables } from "./campaign-job.ts";
export { checkCampaignRights } from "./campaign-rights.ts";
export { partFromLog, partToLines } from "./part-lines.ts";
export { type KubernetesCampaignOptions, runCampaignOnKubernetes } from "./run-on-kubernetes.ts";
export {
  missingIn,
  type RunRange,
  rangeAt,
  rangesText,
  splitRange,
  splitStretches,
} from "./split-range.ts";
