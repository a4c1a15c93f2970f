import type { Verdict } from "../../platform/words.ts";
import { type Alarm, isBad } from "./alarm.ts";
import type { Confirmation } from "./confirm.ts";
import type { Incident } from "./incidents.ts";
import type { FloorResult } from "./judge-floors.ts";
import type { GateProblem } from "./run-gate.ts";
import type { ClassifiedRun, ClassifyFinding } from "./types.ts";

const findingsMax = 20;

/** Everything that is known about one comparable run. */
export interface RunCase {
  readonly alarms: readonly Alarm[];
  readonly floor: FloorResult;
  readonly confirmation: Confirmation;
  readonly incident: Incident | undefined;
  /** Whether there was a cohort to compare it with. */
  readonly judged: boolean;
  readonly unitGuessed: boolean;
  readonly doubtful: GateProblem | undefined;
  /** What a run that passes was compared with. */
  readonly cohort: string;
}

/** The verdict of a run that the gate stopped. */
export function verdictOfProblem(problem: GateProblem, cohort: string): ClassifiedRun {
  const { rule, metric, value, bound, text } = problem;
  return {
    verdict: "unknown",
    reason: sentence(text),
    findings: [{ metric, rule, value, bound, cohort }],
  };
}

/** The verdict of a run that could be compared, or at least held against a floor. */
export function verdictOfCase(given: RunCase): ClassifiedRun {
  const { floor, incident, judged, doubtful, cohort } = given;
  const bad = given.alarms.filter(isBad).toSorted((a, b) => b.excess - a.excess);
  if (!judged && !floor.applies) {
    const text = "too few nodes to compare with, and no floor for this SKU and check";
    return verdictOfProblem(
      { rule: "no-reference", metric: "*", value: null, bound: null, text },
      cohort,
    );
  }
  const isFloor = floor.verdict === "fail";
  if (given.unitGuessed && (bad.length > 0 || isFloor)) {
    const text = "figures are off, but one of them has no unit, which others state";
    return verdictOfProblem({ rule: "unit", metric: "*", value: null, bound: null, text }, cohort);
  }
  if (incident !== undefined && (bad.length > 0 || isFloor))
    return ofIncident(given, bad, incident);
  if (isFloor)
    return conclude("fail", floor.text ?? "", [...ofFloor(floor), ...bad.map(findingOf)]);
  if (floor.verdict === "unknown") return conclude("unknown", floor.text ?? "", ofFloor(floor));
  if (bad.length > 0) return ofBad(given, bad);
  if (doubtful !== undefined) return verdictOfProblem(doubtful, cohort);
  return ofGood(given);
}

function ofIncident(
  { floor }: RunCase,
  bad: readonly Alarm[],
  { text, badRuns, allRuns }: Incident,
): ClassifiedRun {
  const own = floor.verdict === "fail" ? (floor.text ?? "") : (bad[0]?.text ?? "");
  const shared: ClassifyFinding = {
    metric: "*",
    rule: "incident",
    value: badRuns,
    bound: allRuns / 2,
    cohort: bad[0]?.cohort ?? floor.finding?.cohort ?? "",
  };
  // Below a floor nobody may call it well, whoever is to blame.
  const verdict: Verdict = floor.verdict === "fail" ? "suspect" : "warn";
  const reason = `${own}; but ${text}: one incident, and no node is blamed for it`;
  return conclude(verdict, reason, [shared, ...ofFloor(floor), ...bad.map(findingOf)]);
}

const endings: Readonly<Record<Exclude<Confirmation, "well">, readonly [Verdict, string]>> = {
  confirmed: ["fail", "other runs of the node confirm it"],
  likely: ["suspect", "no single run shows it beyond doubt"],
  cleared: ["warn", "later runs of the node are back to normal"],
  open: ["suspect", "no later run has confirmed or cleared it"],
};

function ofBad({ confirmation, floor }: RunCase, bad: readonly Alarm[]): ClassifiedRun {
  const [verdict, ending] = endings[confirmation === "well" ? "open" : confirmation];
  const findings = [...bad.map(findingOf), ...ofFloor(floor)];
  return conclude(verdict, `${bad[0]?.text ?? ""}; ${ending}`, findings);
}

function ofGood({ alarms, floor, judged, cohort }: RunCase): ClassifiedRun {
  const [faster] = alarms;
  if (floor.verdict === "warn") {
    return conclude("warn", floor.text ?? "", [...ofFloor(floor), ...alarms.map(findingOf)]);
  }
  if (faster !== undefined) {
    const reason = `${faster.text}: faster than the cohort, which is no fault`;
    return conclude("warn", reason, alarms.map(findingOf));
  }
  if (!judged) return conclude("pass", "above the SKU's floor; too few nodes for a cohort", []);
  return conclude("pass", `all figures lie within the band of ${cohort}`, []);
}

function conclude(
  verdict: Verdict,
  reason: string,
  findings: readonly ClassifyFinding[],
): ClassifiedRun {
  return { verdict, reason: sentence(reason), findings: findings.slice(0, findingsMax) };
}

function ofFloor({ finding }: FloorResult): readonly ClassifyFinding[] {
  return finding === undefined ? [] : [finding];
}

function findingOf({ metric, rule, value, bound, cohort }: Alarm): ClassifyFinding {
  return { metric, rule, value, bound, cohort };
}

/** Texts begin with a word or with the name of a figure, which is left as it is written. */
function sentence(text: string): string {
  const first = /^(?:the|all|too|above|figures|its) /.test(text)
    ? text.slice(0, 1).toUpperCase()
    : "";
  return `${first}${text.slice(first.length)}.`;
}
