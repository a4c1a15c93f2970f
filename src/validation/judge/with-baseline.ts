import type { Verdict } from "../../platform/words.ts";
import {
  type CohortDrift,
  compareWithBaseline,
  type Deviation,
  takesPart,
} from "../baselines/index.ts";
import type { ClassifiedRun, ClassifyFinding } from "../classify/index.ts";
import type { Baseline } from "../history/history.ts";
import type { RunRecord } from "../run.ts";

const findingsMax = 20;
/** What speaks of one node among its like, and so of the node itself. */
const rulesOfNode: ReadonlySet<string> = new Set([
  "hard-fact",
  "band",
  "tail",
  "siblings",
  "history",
]);

/**
 * Adds to a verdict what the baseline says. It can make a run worse (`warn`; `suspect` far out) but
 * never fail it. When the whole cohort has moved it is one incident: its runs are `warn`, and one
 * that failed only by a floor is `suspect`, since its node is not to blame.
 */
export function withBaseline(
  classified: ClassifiedRun,
  given: {
    readonly record: RunRecord;
    readonly baseline: Baseline;
    readonly drift: CohortDrift | undefined;
  },
): ClassifiedRun {
  const { record, baseline, drift } = given;
  if (!canBeCompared(classified)) return classified;
  const figures = record.result?.figures ?? {};
  const deviations = compareWithBaseline(figures, baseline);
  const cohort = `baseline ${baseline.id}`;
  const findings = deviations.map(({ metric, value, bound }): ClassifyFinding => {
    return { metric, rule: "baseline", value, bound, cohort };
  });
  if (drift !== undefined && takesPart(figures, baseline, drift)) {
    return ofDrift(classified, { drift, findings, cohort });
  }
  const [worst] = deviations;
  if (worst === undefined) return classified;
  const far = deviations.find(({ isFar }) => isFar);
  return ofDeviation(classified, { worst: far ?? worst, findings });
}

/** A run that the gate stopped has figures that mean nothing. */
function canBeCompared({ verdict, findings }: ClassifiedRun): boolean {
  return verdict !== "unknown" || findings.some(({ rule }) => rule === "no-reference");
}

function ofDrift(
  classified: ClassifiedRun,
  given: {
    readonly drift: CohortDrift;
    readonly findings: readonly ClassifyFinding[];
    readonly cohort: string;
  },
): ClassifiedRun {
  const { drift, cohort } = given;
  const { metric, value, bound, nodes } = drift;
  const moved: ClassifyFinding = { metric, rule: "baseline", value, bound, cohort };
  const shared: ClassifyFinding = {
    metric: "*",
    rule: "incident",
    value: nodes,
    bound: null,
    cohort,
  };
  const reason = `${drift.text}: one incident, and no node is blamed for it`;
  return {
    verdict: verdictInDrift(classified),
    reason: joined(reason, classified),
    findings: [moved, shared, ...given.findings, ...classified.findings].slice(0, findingsMax),
  };
}

function verdictInDrift({ verdict, findings }: ClassifiedRun): Verdict {
  if (verdict === "pass") return "warn";
  if (verdict !== "fail" || findings.some(({ rule }) => rulesOfNode.has(rule))) return verdict;
  return "suspect";
}

function ofDeviation(
  classified: ClassifiedRun,
  given: { readonly worst: Deviation; readonly findings: readonly ClassifyFinding[] },
): ClassifiedRun {
  const { worst } = given;
  const { verdict } = classified;
  const isOpen = verdict === "pass" || verdict === "warn" || verdict === "unknown";
  const raised: Verdict = verdict === "pass" ? "warn" : verdict;
  return {
    verdict: worst.isFar && isOpen ? "suspect" : raised,
    reason: joined(worst.text, classified),
    findings: [...given.findings, ...classified.findings].slice(0, findingsMax),
  };
}

/** Both reasons as one sentence; what decided the verdict comes first. */
function joined(text: string, { verdict, reason }: ClassifiedRun): string {
  if (verdict === "pass") return `${text}.`;
  const bare = reason.replace(/\.$/, "");
  return verdict === "fail" || verdict === "suspect" ? `${bare}; ${text}.` : `${text}; ${bare}.`;
}
