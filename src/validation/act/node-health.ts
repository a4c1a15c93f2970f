import { type Verdict, worstVerdict } from "../../platform/words.ts";
import { type CheckStates, type JudgedRun, standingVerdict } from "../judge/index.ts";

/** What the required checks say about a node. */
export interface HealthOfNode {
  /** That of the worst required check; `unknown` when one was never run, or none is required. */
  readonly verdict: Verdict;
  /** Which check says so, and why; one sentence. */
  readonly sentence: string;
  /** The newest failed run of each required check that fails. */
  readonly failed: readonly JudgedRun[];
}

/** The health of a node as all its required checks together show it. */
export function healthOf(
  node: string,
  given: { readonly states: CheckStates; readonly requiredChecks: readonly string[] },
): HealthOfNode {
  const { states, requiredChecks } = given;
  const standings = requiredChecks.map((check) => ({
    check,
    ...standingVerdict(states.get(node, check)),
  }));
  const verdict = worstVerdict(standings.map((standing) => standing.verdict));
  const failed = standings.flatMap(({ verdict: own, run }) =>
    own === "fail" && run !== undefined ? [run] : [],
  );
  const worst = standings.find((standing) => standing.verdict === verdict);
  return { verdict, failed, sentence: sentenceOf(verdict, worst, requiredChecks.length) };
}

function sentenceOf(
  verdict: Verdict,
  worst: { readonly check: string; readonly run: JudgedRun | undefined } | undefined,
  count: number,
): string {
  if (worst === undefined) return "No check is required.";
  if (worst.run === undefined) return `${worst.check} has not been run lately.`;
  if (verdict === "pass") return count === 1 ? `${worst.check} passed.` : "All checks passed.";
  return `${worst.check}: ${worst.run.reason}`;
}
