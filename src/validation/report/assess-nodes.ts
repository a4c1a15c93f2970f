import type { ItemStatus, Verdict } from "../../platform/words.ts";
import { worstVerdict } from "../../platform/words.ts";
import { groupBy } from "../classify/cohorts.ts";
import { isStale } from "../prioritize/index.ts";
import type { RunRecord } from "../run.ts";
import type { ClusterReportData, ReportNode } from "./data.ts";

const dayMs = 86_400_000;

/** What the newest run of one check in the window says. */
export interface CheckAnswer {
  readonly check: string;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly run: RunRecord;
}

/** A node, what the window says about it, and how fresh the evidence is. */
export interface NodeAssessment {
  readonly node: ReportNode;
  /** A verdict when it was tested in the window, else `skipped`. */
  readonly status: ItemStatus;
  /** One sentence: the worst answer's, or why it was not tested. */
  readonly reason: string;
  /** One for each check that was run in the window, worst first. */
  readonly answers: readonly CheckAnswer[];
  /** The age of the oldest evidence among the checks; undefined when one never completed. */
  readonly ageDays: number | undefined;
  /** Every check completed, none longer ago than allowed. */
  readonly complete: boolean;
}

const weight: Readonly<Record<Verdict, number>> = {
  fail: 4,
  unknown: 3,
  suspect: 2,
  warn: 1,
  pass: 0,
};

/** How each node stands, in the order of the nodes. */
export function assessNodes(data: ClusterReportData): readonly NodeAssessment[] {
  const runsOf = groupBy(data.runs, ({ intent }) => intent.node);
  return data.nodes.map((node) => assess(node, runsOf.get(node.name) ?? [], data));
}

function assess(
  node: ReportNode,
  runs: readonly RunRecord[],
  data: ClusterReportData,
): NodeAssessment {
  const answers = answersOf(runs);
  const evidence = evidenceOf(node.name, runs, data);
  const tested = answers.length > 0;
  return {
    node,
    answers,
    ...evidence,
    status: tested ? worstVerdict(answers.map(({ verdict }) => verdict)) : "skipped",
    reason: tested ? (answers[0]?.reason ?? "") : whyNotTested(node, runs, { data, ...evidence }),
  };
}

/** The newest run that says something, for each check; the worst answer first. */
function answersOf(runs: readonly RunRecord[]): CheckAnswer[] {
  return [...groupBy(runs.filter(isAnswer), ({ intent }) => intent.check)]
    .map(([check, group]) =>
      answerOf(
        check,
        group.reduce((a, b) => (b.intent.plannedAtMs > a.intent.plannedAtMs ? b : a)),
      ),
    )
    .toSorted((a, b) => weight[b.verdict] - weight[a.verdict] || (a.check < b.check ? -1 : 1));
}

/** A run that we ended ourselves says nothing, so an older one may still speak. */
export function isAnswer({ result, verdict }: RunRecord): boolean {
  if (result === undefined) return false;
  return result.outcome !== "cancelled" || verdict?.verdict === "fail";
}

function answerOf(check: string, run: RunRecord): CheckAnswer {
  const { verdict, result } = run;
  if (verdict !== undefined) {
    // Whatever was concluded: what did not complete is never healthy.
    const undecided = result?.outcome !== "completed" && verdict.verdict !== "fail";
    return {
      check,
      run,
      verdict: undecided ? "unknown" : verdict.verdict,
      reason: `${check}: ${verdict.reason}`,
    };
  }
  const why =
    result?.outcome === "completed"
      ? "completed and not judged yet"
      : `ended as ${result?.outcome ?? "nothing"}${result?.error === undefined ? "" : `: ${result.error}`}`;
  return { check, run, verdict: "unknown", reason: `${check}: ${why}` };
}

function evidenceOf(
  node: string,
  runs: readonly RunRecord[],
  { checks, latest, untilMs, staleAfterDays }: ClusterReportData,
): Pick<NodeAssessment, "ageDays" | "complete"> {
  const times = checks.map((check) => {
    const atMs = latest.testedAtMs(node, check);
    // The newest of all may be newer than the window, which must not know of it.
    return atMs !== undefined && atMs > untilMs ? newestEnd(runs, check, untilMs) : atMs;
  });
  if (times.length === 0 || times.includes(undefined)) {
    return { ageDays: undefined, complete: false };
  }
  const oldestMs = Math.min(...times.map((atMs) => atMs ?? 0));
  const ageDays = Math.max(0, (untilMs - oldestMs) / dayMs);
  return { ageDays, complete: !isStale(ageDays, staleAfterDays) };
}

function newestEnd(runs: readonly RunRecord[], check: string, untilMs: number): number | undefined {
  const ends = runs.flatMap(({ intent, result }) =>
    intent.check === check && result?.outcome === "completed" && result.endedAtMs <= untilMs
      ? [result.endedAtMs]
      : [],
  );
  return ends.length === 0 ? undefined : Math.max(...ends);
}

function whyNotTested(
  node: ReportNode,
  runs: readonly RunRecord[],
  evidence: Pick<NodeAssessment, "ageDays" | "complete"> & { readonly data: ClusterReportData },
): string {
  const { ageDays, complete, data } = evidence;
  const [newest] = runs.toSorted((a, b) => b.intent.plannedAtMs - a.intent.plannedAtMs);
  if (newest?.result?.outcome === "cancelled") {
    return `its run was cancelled: ${newest.result.error ?? "no reason was given"}`;
  }
  if (newest !== undefined) return "its first run of this time is still under way";
  const because = node.why === "" ? "" : `: ${node.why}`;
  switch (node.state) {
    case "busy":
      return `busy with users' jobs${because}${overdue(evidence)}`;
    case "untestable":
      return `cannot be tested${because}${overdue(evidence)}`;
    case "under-test":
      return "its first run of this time is still under way";
    case "free":
    case "unseen":
      if (complete && ageDays !== undefined) {
        return `not due: its oldest evidence is ${days(ageDays)} old, ${data.staleAfterDays} d are allowed`;
      }
      return node.state === "free"
        ? `due and not begun${because}${overdue(evidence)}`
        : `nobody can tell whether it is free${because}${overdue(evidence)}`;
  }
}

function overdue({ ageDays, complete }: Pick<NodeAssessment, "ageDays" | "complete">): string {
  if (complete) return "; its evidence is fresh enough";
  return ageDays === undefined
    ? "; not every check has ever completed on it"
    : `; its oldest evidence is ${days(ageDays)} old`;
}

/** Days for people, to a tenth. */
export function days(value: number): string {
  return `${value.toFixed(1)} d`;
}
