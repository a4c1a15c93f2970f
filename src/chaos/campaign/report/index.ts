/** A campaign for people and for pipelines. */
export { type CampaignReportOptions, campaignReport } from "./campaign-report.ts";
