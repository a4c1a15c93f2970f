import { type Verdict, worstVerdict } from "../../platform/words.ts";
import {
  type CheckStates,
  type JudgedRun,
  type NodeStates,
  standingVerdict,
} from "../judge/index.ts";

/** What the required checks say about a node. */
export interface HealthOfNode {
  /** That of the worst required check; `unknown` when one was never run, or none is required. */
  readonly verdict: Verdict;
  /** Which check says so, and why; one sentence. */
  readonly sentence: string;
  /** The newest failed run of each required check that fails. */
  readonly failed: readonly JudgedRun[];
}

/** Between two looks at a large fleet most nodes have no new run, and are as they were. */
const known = new WeakMap<
  NodeStates,
  { readonly requiredChecks: readonly string[]; readonly health: HealthOfNode }
>();

/** The health of a node as all its required checks together show it. */
export function healthOf(
  node: string,
  given: { readonly states: CheckStates; readonly requiredChecks: readonly string[] },
): HealthOfNode {
  const { requiredChecks } = given;
  const states = given.states.ofNode(node);
  const before = states && known.get(states);
  if (before !== undefined && isSame(before.requiredChecks, requiredChecks)) return before.health;
  const health = healthFrom(states, requiredChecks);
  if (states !== undefined) known.set(states, { requiredChecks, health });
  return health;
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return (
    some === others || (some.length === others.length && some.every((a, i) => a === others[i]))
  );
}

function healthFrom(
  states: NodeStates | undefined,
  requiredChecks: readonly string[],
): HealthOfNode {
  const standings = requiredChecks.map((check) => ({
    check,
    ...standingVerdict(states?.get(check)),
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
