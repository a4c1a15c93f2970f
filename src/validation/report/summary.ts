import type { ReportItem } from "../../platform/reporters/index.ts";
import { type ItemStatus, itemStatuses } from "../../platform/words.ts";
import { medianOf, quantile } from "../classify/stats/robust.ts";
import type { NodeAssessment } from "./assess-nodes.ts";
import type { Coverage } from "./coverage.ts";
import type { ClusterReportData } from "./data.ts";
import { type Detections, hoursToDetect } from "./detection.ts";
import { counted, factsOf, figureItem, percent } from "./facts.ts";

const dayMs = 86_400_000;

/** How many nodes have each status: the tested by verdict, and the rest as skipped. */
export function countNodes(
  assessments: readonly NodeAssessment[],
): Readonly<Record<ItemStatus, number>> {
  const counts = Object.fromEntries(itemStatuses.map((status) => [status, 0]));
  for (const { status } of assessments) counts[status] = (counts[status] ?? 0) + 1;
  return counts as Record<ItemStatus, number>;
}

/** The lines that say everything at a glance. */
export function summaryItems(
  data: ClusterReportData,
  parts: {
    readonly assessments: readonly NodeAssessment[];
    readonly coverage: Coverage;
    readonly detections: Detections;
  },
): readonly ReportItem[] {
  return [
    nodesItem(data, parts.assessments),
    coverageItem(data, parts.coverage),
    debtItem(data, parts.coverage),
    detectionItem(data, parts.detections),
    runsItem(data),
    hoursItem(data),
  ];
}

function nodesItem(
  { provenance }: ClusterReportData,
  assessments: readonly NodeAssessment[],
): ReportItem {
  const counts = countNodes(assessments);
  const tested = assessments.length - counts.skipped;
  // A node that passed one check of three is not known to be well.
  const whole = assessments.filter(({ status, complete }) => status === "pass" && complete).length;
  const reason = `${tested} of ${counted(assessments.length, "node")} tested: ${counts.pass} passed (${whole} of them in every check), ${counts.warn} warned, ${counts.suspect} suspect, ${counts.fail} failed, ${counts.unknown} unknown; ${counts.skipped} not tested`;
  return figureItem("Nodes", reason, {
    provenance,
    facts: factsOf(provenance, [
      ["nodes", assessments.length],
      ["tested", tested],
      ["passed", counts.pass],
      ["passed in every check", whole],
      ["warned", counts.warn],
      ["suspect", counts.suspect],
      ["failed", counts.fail],
      ["unknown", counts.unknown],
      ["not tested", counts.skipped],
    ]),
  });
}

function coverageItem(
  { provenance, staleAfterDays }: ClusterReportData,
  coverage: Coverage,
): ReportItem {
  const { covered, nodes, share, shareOfTestable, overdueUnseen } = coverage;
  const unseen = overdueUnseen === 0 ? "" : " or were not seen";
  const now =
    shareOfTestable === undefined
      ? "; none can be tested now"
      : `; ${percent(shareOfTestable)} of those that can be tested now${unseen}`;
  const reason = `${percent(share)}: ${covered} of ${counted(nodes, "node")} with complete evidence not older than ${staleAfterDays} d${now}`;
  return figureItem("Coverage", reason, {
    provenance,
    facts: factsOf(provenance, [
      ["covered", covered],
      ["covered, of all nodes", share === undefined ? undefined : share * 100, "%"],
      [
        "covered, of those testable now",
        shareOfTestable === undefined ? undefined : shareOfTestable * 100,
        "%",
      ],
    ]),
  });
}

function debtItem({ provenance }: ClusterReportData, coverage: Coverage): ReportItem {
  const { overdueBusy, overdueUntestable, overdueFree, overdueUnderTest, overdueUnseen } = coverage;
  const parts = [
    `${counted(overdueBusy, "node")} overdue and busy`,
    `${overdueUntestable} overdue and not testable`,
    `${overdueFree} overdue and free`,
    ...(overdueUnderTest === 0 ? [] : [`${overdueUnderTest} overdue and being tested`]),
    ...(overdueUnseen === 0 ? [] : [`${overdueUnseen} overdue and not seen: nobody can tell`]),
  ];
  return figureItem("Coverage debt", parts.join(", "), {
    provenance,
    facts: factsOf(provenance, [
      ["overdue and busy", overdueBusy],
      ["overdue and not testable", overdueUntestable],
      ["overdue and free", overdueFree],
      ["overdue and being tested", overdueUnderTest],
      ["overdue and not seen", overdueUnseen],
    ]),
  });
}

function detectionItem({ provenance }: ClusterReportData, detections: Detections): ReportItem {
  const hours = hoursToDetect(detections);
  const { all, from } = detections;
  const missing = all.length - hours.length;
  const since = from === "onset" ? "the true onset" : "the first run that looked bad";
  const reason =
    hours.length === 0
      ? `nothing was found${missing === 0 ? "" : `; ${counted(missing, "defect")} not found yet`}`
      : `median ${hoursText(medianOf(hours))}, nine of ten within ${hoursText(quantile(hours, 0.9))}, counted from ${since}; ${hours.length} found${from === "onset" ? `, ${missing} not yet` : ""}`;
  return figureItem("Time to detect", reason, {
    provenance,
    facts: factsOf(provenance, [
      ["found", hours.length],
      ["not found yet", from === "onset" ? missing : undefined],
      ["median", hours.length === 0 ? undefined : medianOf(hours), "h"],
      ["90th percentile", hours.length === 0 ? undefined : quantile(hours, 0.9), "h"],
    ]),
  });
}

export function hoursText(hours: number): string {
  if (hours >= 48) return `${(hours / 24).toFixed(1)} d`;
  return hours >= 1 ? `${hours.toFixed(1)} h` : `${Math.round(hours * 60)} min`;
}

function runsItem({ runs, runsLeftOut, provenance }: ClusterReportData): ReportItem {
  const outcomes = ["completed", "error", "timeout", "cancelled"] as const;
  const count = (outcome: string) =>
    runs.filter(({ result }) => result?.outcome === outcome).length;
  const open = runs.filter(({ result }) => result === undefined).length;
  const parts = outcomes.map((outcome) => `${count(outcome)} ${outcome}`);
  const left = runsLeftOut === 0 ? "" : `; ${runsLeftOut} older ones are left out of this report`;
  return figureItem("Runs", `${runs.length}: ${parts.join(", ")}, ${open} under way${left}`, {
    provenance,
    facts: factsOf(provenance, [
      ...outcomes.map((outcome) => [outcome, count(outcome)] as const),
      ["under way", open],
    ]),
  });
}

function hoursItem(data: ClusterReportData): ReportItem {
  const { runs, gpuHoursPerDay, fromMs, untilMs, provenance } = data;
  const used = runs.reduce((sum, { intent }) => sum + intent.gpuHours, 0);
  const daysCount = (untilMs - fromMs) / dayMs;
  const limited = Number.isFinite(gpuHoursPerDay);
  const allowed = limited ? gpuHoursPerDay * daysCount : undefined;
  const reason =
    allowed === undefined
      ? `${used.toFixed(1)} GPU-hours, without a budget`
      : `${used.toFixed(1)} of ${allowed.toFixed(1)} GPU-hours (${gpuHoursPerDay} a day): ${percent(allowed === 0 ? undefined : used / allowed)} of the budget`;
  return figureItem("GPU-hours", reason, {
    provenance,
    facts: factsOf(provenance, [
      ["used", used, "GPU-h"],
      ["budget", allowed, "GPU-h"],
    ]),
  });
}
