import type { Fact, Report, ReportItem } from "../../../platform/reporters/index.ts";
import type { ExperimentOutcome, ItemStatus } from "../../../platform/words.ts";
import type { Comparison } from "../../plan/index.ts";
import {
  type RecoveryFinding,
  type RecoveryJudgement,
  seconds,
  shareText,
} from "./judge-recovery.ts";
import { phaseNames } from "./phases.ts";
import { recoveryPlot } from "./recovery-plot.ts";
import type { RecoveryRecord } from "./recovery-record.ts";

const statusOf: Readonly<Record<ExperimentOutcome, ItemStatus>> = {
  pass: "pass",
  fail: "fail",
  inconclusive: "unknown",
};
const eventsShown = 60;

export interface RecoveryReportOptions {
  /** What was tested: `deployment shop/server`. */
  readonly subject: string;
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly judgement: RecoveryJudgement;
  readonly record?: RecoveryRecord | undefined;
  /** What the plan said would happen beside what did. */
  readonly compared?: readonly Comparison[];
  readonly notes?: readonly string[];
}

/** A test as a report: the verdict, the phases, the requests, and predicted beside observed. */
export function recoveryReport(options: RecoveryReportOptions): Report {
  const { record, judgement, compared = [], notes = [], subject } = options;
  const { startedAtMs, durationMs } = options;
  return {
    title: `Hardware fault test: ${judgement.outcome}`,
    subject: `${subject}: ${judgement.reason}`,
    startedAtMs,
    durationMs,
    notes: ["All times and shares are measured.", ...notes],
    sections: [
      { title: "What had to hold", items: judgement.findings.map(findingItem) },
      ...(record === undefined ? [] : recordSections(record)),
      ...(compared.length === 0
        ? []
        : [{ title: "Predicted and observed", items: compared.map(comparedItem), judged: false }]),
    ],
    plots: record === undefined ? [] : [recoveryPlot(record)],
  };
}

function findingItem({ property, outcome, reason }: RecoveryFinding): ReportItem {
  return { name: property, status: statusOf[outcome], reason, facts: [] };
}

function recordSections(record: RecoveryRecord) {
  const { times, shares, injectedMs } = record;
  const phases = phaseNames.map((name): ReportItem => {
    const at = times[name];
    const facts = at === null ? [] : [fact("after the fault", at, "ms")];
    return {
      name,
      status: "skipped",
      label: "measured",
      reason: at === null ? "never seen" : `done ${seconds(at)} after the fault`,
      facts,
    };
  });
  const happened = record.events.slice(-eventsShown).map(({ atMs, text }) => {
    return `${((atMs - injectedMs) / 1000).toFixed(2).padStart(8)} s  ${text}`;
  });
  return [
    { title: "Phases", items: phases, judged: false },
    ...(shares === null ? [] : [{ title: "Requests", items: shareItems(shares), judged: false }]),
    {
      title: "What happened",
      items: [
        {
          name: `node ${record.node}`,
          status: "skipped" as const,
          label: "seen",
          reason: `cordoned by ${record.cordonedBy ?? "nobody"}`,
          facts: [],
          log: happened.join("\n"),
        },
      ],
      judged: false,
    },
  ];
}

function shareItems(shares: NonNullable<RecoveryRecord["shares"]>): readonly ReportItem[] {
  const item = (name: string, reason: string, facts: readonly Fact[] = []): ReportItem => {
    return { name, status: "skipped", label: "measured", reason, facts };
  };
  const { longestGapMs, withoutServiceMs } = shares;
  const withoutText = `${seconds(longestGapMs)} at the longest, ${seconds(withoutServiceMs)} in all`;
  const windows = ["before", "during", "after"] as const;
  return [
    ...windows.map((name) => item(name, shareText(shares[name], shares.unknown[name]))),
    item("without service", withoutText, [
      fact("longest", longestGapMs, "ms"),
      fact("all", withoutServiceMs, "ms"),
    ]),
  ];
}

function comparedItem({ what, predicted, observed, agrees }: Comparison): ReportItem {
  const words = { true: "as predicted", false: "otherwise", unknown: "not known" } as const;
  const statuses = { true: "pass", false: "warn", unknown: "unknown" } as const;
  return {
    name: what,
    status: statuses[`${agrees}`],
    label: words[`${agrees}`],
    reason: `predicted ${predicted}, observed ${observed}`,
    facts: [],
  };
}

function fact(name: string, value: number, unit: string): Fact {
  return { name, value, unit, provenance: "measured" };
}
