import type { ExperimentOutcome } from "../../platform/words.ts";
import type { CampaignResult } from "./campaign-result.ts";

/**
 * A failure is a failure of the job or of the campaign itself: a planted bug that nobody found, a run that
 * cannot be repeated. A campaign in which nothing was decided has not passed.
 */
export function verdictOf(result: Omit<CampaignResult, "outcome" | "reason">): {
  readonly outcome: ExperimentOutcome;
  readonly reason: string;
} {
  const { signatures, canaries, determinism, counts, streak } = result;
  const failed = counts.inside.fail + counts.outside.fail + counts.clean.fail;
  const missed = canaries.filter(({ found }) => !found).map(({ defect }) => defect);
  const problems: string[] = [];
  if (failed > 0) {
    const ways = signatures.length === 1 ? "one way" : `${signatures.length} ways`;
    problems.push(`${failed} of ${result.runs} runs failed, in ${ways}`);
  }
  if (missed.length > 0) {
    problems.push(`the campaign is blind: it did not find ${missed.join(", ")}`);
  }
  if (determinism.differed.length > 0) {
    problems.push(`runs ${determinism.differed.join(", ")} came out otherwise the second time`);
  }
  if (problems.length > 0) return { outcome: "fail", reason: problems.join("; ") };
  if (counts.inside.pass === 0) {
    return { outcome: "inconclusive", reason: "no run inside the claim was decided" };
  }
  const rate = (100 * streak.provenRate).toFixed(1);
  const reason = `${streak.current} runs inside the claim in a row recovered: ${rate} % at ${100 * streak.confidence} % confidence`;
  return { outcome: "pass", reason };
}
