import type { StatusMapPlot } from "../../../platform/plots/index.ts";
import type { Report, ReportItem } from "../../../platform/reporters/index.ts";
import { type Verdict, verdictOfItems } from "../../../platform/words.ts";
import type { Finding } from "../gate/index.ts";
import { endOf } from "./answers.ts";
import { circumstanceItems, type RunCircumstances } from "./evidence.ts";
import { namedFacts, suspectItems } from "./suspects.ts";

/** What a gate was about. */
export interface GateAbout {
  readonly subject: string;
  readonly startedAtMs: number;
  readonly durationMs: number;
}

const toldMax = 5;
/** With fewer answers a picture says no more than its numbers. */
const answersForMap = 4;

const wordOf: Readonly<Record<Verdict, string>> = {
  pass: "A job may start here",
  warn: "A job may start here",
  suspect: "No job should start here",
  fail: "No job may start here",
  unknown: "It is not decided whether a job may start here",
};

/** What a gate found, in every format. */
export function gateReport(findings: readonly Finding[], about: GateAbout): Report {
  return {
    title: "Gate before a job",
    ...about,
    notes: [
      "a gate looks for what is broken for certain; how fast a machine is it does not measure",
    ],
    sections: [{ title: "Answers", items: findings.map(answerItem) }],
    plots: [],
  };
}

/** The same as a page: whether a job may start and why first, then every answer, and how they were asked. Pure. */
export function gatePage(
  findings: readonly Finding[],
  { run, ...about }: GateAbout & { readonly run: Omit<RunCircumstances, "host" | "seed"> },
): Report {
  const report = gateReport(findings, about);
  const suspects = suspectItems(wordsOf(findings, ["fail"]));
  return {
    ...report,
    subject: `${about.subject}: ${gateSentence(findings)}`,
    sections: [
      ...report.sections,
      ...(suspects.length === 0 ? [] : [{ title: "Suspects", items: suspects, judged: false }]),
      { title: "Evidence", items: circumstanceItems(run), judged: false },
    ],
    plots: answersMap(findings),
  };
}

function answerItem({ name, status, words }: Finding): ReportItem {
  const facts = status === "fail" ? namedFacts(words) : [];
  return { name, status, reason: `${words}.`, facts };
}

function wordsOf(
  findings: readonly Finding[],
  statuses: readonly Finding["status"][],
): readonly string[] {
  return findings.filter(({ status }) => statuses.includes(status)).map(({ words }) => words);
}

function gateSentence(findings: readonly Finding[]): string {
  const verdict = verdictOfItems(findings.map(({ status }) => status));
  const why = [
    ...wordsOf(findings, ["fail"]),
    ...wordsOf(findings, ["unknown"]),
    ...wordsOf(findings, ["warn"]),
  ];
  const more = why.length > toldMax ? [`and ${why.length - toldMax} more`] : [];
  const good = findings.length === 0 ? "nothing was asked" : "nothing is known to be broken";
  const told = why.length === 0 ? good : [...why.slice(0, toldMax), ...more].join("; ");
  return `${wordOf[verdict]}: ${endOf(told)}`;
}

/** Every answer at a glance: the machine's own, and one for each GPU in their order. */
function answersMap(findings: readonly Finding[]): readonly StatusMapPlot[] {
  if (findings.length < answersForMap) return [];
  const isOfGpu = ({ name }: Finding) => /^gpu \d+$/.test(name);
  const row = (name: string, own: readonly Finding[]) => ({
    name,
    cells: own.map((one) => ({ name: one.name, status: one.status, detail: one.words })),
  });
  const ofGpus = findings.filter(isOfGpu);
  const others = findings.filter((finding) => !isOfGpu(finding));
  return [
    {
      kind: "status-map",
      title: "What was asked, and what was answered",
      provenance: "measured",
      cellLabel: "answer",
      rowLabel: "",
      rows: [row("machine", others), ...(ofGpus.length === 0 ? [] : [row("GPUs", ofGpus)])],
    },
  ];
}
