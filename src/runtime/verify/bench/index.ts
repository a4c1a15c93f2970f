export { campaignOf, campaignRates, detectedWithin, meanSecondsToDetection } from "./campaign.ts";
export { runSdcBench, type SdcBenchOptions } from "./run-sdc-bench.ts";
export { scoredBits } from "./score-products.ts";
export { siteTitles } from "./score-sites.ts";
export {
  type BitScores,
  type CampaignScores,
  type Cost,
  type DistributionName,
  distributionNames,
  type NoiseScores,
  type PatternScores,
  type ProductDetector,
  productDetectors,
  type Score,
  type SdcBenchResult,
  type SiteDetector,
  type SiteName,
  type SiteScores,
  shareOf,
  siteDetectors,
  siteNames,
  standardErrorOf,
} from "./types.ts";
