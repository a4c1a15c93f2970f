import { type CampaignPart, joinParts } from "../campaign-part.ts";
import { type CampaignOptions, runCampaign } from "../run-campaign.ts";
import type { RunRanges } from "./split-range.ts";

/** Makes the runs of some ranges, one range after the other, and the planted bugs once. */
export async function makeRanges(
  ranges: RunRanges,
  options: Omit<CampaignOptions, "from" | "to" | "known">,
): Promise<CampaignPart> {
  const parts: CampaignPart[] = [];
  for (const range of ranges) {
    const canaries = parts[0]?.canaries ?? [];
    parts.push(await runCampaign({ ...options, ...range, known: { runs: [], canaries } }));
  }
  return joinParts(parts);
}
