/** A campaign too large for one machine: an indexed Job, one range of runs for each pod. */
export { campaignJob, campaignLabel } from "./campaign-job.ts";
export { checkCampaignRights } from "./campaign-rights.ts";
export { type KubernetesCampaignOptions, runCampaignOnKubernetes } from "./run-on-kubernetes.ts";
