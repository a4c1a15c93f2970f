import type { CampaignRun } from "../campaign-part.ts";
import { twiceEvery } from "../run-campaign.ts";
import { areSame } from "../run-summary.ts";
import type { CampaignWorker } from "../workers/index.ts";
import { differs } from "./campaign-book.ts";

/**
 * Makes the newest run that is known once more. A version number does not tell two builds of one version
 * apart, and runs of different programs must not be counted together.
 *
 * @throws E_CAMPAIGN when it comes out otherwise.
 */
export async function checkKnown(
  seed: string,
  runs: readonly CampaignRun[],
  worker: CampaignWorker,
): Promise<void> {
  const newest = runs.at(-1);
  if (newest === undefined) return;
  const { index, kind: _, ...known } = newest;
  const twice = index % twiceEvery === 0;
  const again = await worker.carryOut({ kind: "swarm", seed, index, twice });
  if (!areSame(known, again)) throw differs(index);
}
