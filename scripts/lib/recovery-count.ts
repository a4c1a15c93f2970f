import type { CampaignRun } from "../../src/chaos/campaign/index.ts";
import { clopperPearson } from "../../src/chaos/judge/index.ts";

/** Runs with faults inside the claim, counted until one does not recover. */
export interface RecoveryCount {
  readonly recovered: number;
  /** Those that were decided: one more than recovered when the last one did not. */
  readonly runs: number;
  /** Passed over: a fault had no effect, so nothing was proven either way. */
  readonly undecided: number;
  /** The run that ended the count; null: none did. */
  readonly failed: number | null;
  /** At this confidence, at least so large a share of such runs recovers. */
  readonly atLeast: number;
  readonly text: string;
}

const confidence = 0.95;

/** What it takes for 99 % at this confidence. */
export const recoveriesWanted = 299;

/** Counts runs in their order, up to so many that were decided. */
export function countRecoveries(
  runs: readonly Pick<CampaignRun, "index" | "kind" | "outcome">[],
  wanted: number = recoveriesWanted,
): RecoveryCount {
  let [recovered, undecided] = [0, 0];
  let failed: number | null = null;
  for (const { index, kind, outcome } of runs) {
    if (recovered === wanted || failed !== null) break;
    if (kind !== "inside") continue;
    if (outcome === "pass") recovered++;
    else if (outcome === "fail") failed = index;
    else undecided++;
  }
  const decided = recovered + (failed === null ? 0 : 1);
  // Only the lower end is claimed, so all that may lie outside of the interval lies below it.
  const atLeast = clopperPearson(recovered, decided, 1 - 2 * (1 - confidence)).low;
  const stopped = failed === null ? "" : `, then run ${failed} did not`;
  const share = `at least ${percentDown(atLeast)} % at ${100 * confidence} % confidence`;
  const text = `${recovered} of ${decided} recovered${stopped}: ${share}`;
  return { recovered, runs: decided, undecided, failed, atLeast, text };
}

/** Never more than was proven. */
function percentDown(share: number): number {
  return Math.floor(1000 * share) / 10;
}
