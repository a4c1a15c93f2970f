import type { Verdict } from "../../platform/words.ts";

/** The newest conclusions about one check of a node. */
export interface CheckConclusion {
  readonly check: string;
  /** Of the run that ended last. */
  readonly ended: Conclusion | undefined;
  /** Of the run that completed last, which may be the same. */
  readonly completed: Conclusion | undefined;
}

export interface Conclusion {
  readonly runId: string;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly atMs: number;
}

export type NodeStanding =
  | { readonly state: "failing"; readonly check: string; readonly because: Conclusion }
  | { readonly state: "well"; readonly because: Conclusion }
  /** Nothing new can be said: what was said last stands. */
  | { readonly state: "undecided" };

/** How a node stands, as far as that is worth telling. */
export function nodeStanding(checks: readonly CheckConclusion[]): NodeStanding {
  const decided = checks.map(({ check, ended, completed }) => ({
    check,
    // A run that says nothing does not take back what the one before it said.
    conclusion: [ended, completed].find((one) => one !== undefined && isDecided(one.verdict)),
  }));
  for (const { check, conclusion } of decided) {
    if (conclusion?.verdict === "fail") return { state: "failing", check, because: conclusion };
  }
  const known = decided.flatMap(({ conclusion }) => (conclusion === undefined ? [] : [conclusion]));
  const newest = known.toSorted((one, other) => other.atMs - one.atMs)[0];
  if (newest === undefined || known.length < checks.length) return { state: "undecided" };
  return { state: "well", because: newest };
}

function isDecided(verdict: Verdict): boolean {
  return verdict === "fail" || verdict === "pass" || verdict === "warn";
}
