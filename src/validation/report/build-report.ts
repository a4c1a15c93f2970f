import type { Report, ReportSection } from "../../platform/reporters/index.ts";
import { assessNodes } from "./assess-nodes.ts";
import { coverageOf } from "./coverage.ts";
import type { ClusterReportData } from "./data.ts";
import { detectionsOf } from "./detection.ts";
import { figureLevels } from "./figure-levels.ts";
import { nodeSections } from "./node-items.ts";
import { clockText, otherSections } from "./other-sections.ts";
import { clusterPlots } from "./plots.ts";
import { summaryItems } from "./summary.ts";

export interface ReportContext {
  /** When the report was made, this machine's time. */
  readonly startedAtMs: number;
  /** How long reading and building took. */
  readonly durationMs: number;
  /** The store it comes from, without passwords. */
  readonly store: string;
}

/**
 * The report on continuous validation: each cluster apart, plots first, every figure with where it
 * comes from. Pure.
 */
export function buildValidationReport(
  clusters: readonly ClusterReportData[],
  { startedAtMs, durationMs, store }: ReportContext,
): Report {
  const parts = clusters.map((data) => clusterPart(data, clusters.length > 1));
  return {
    title: "Validation report",
    subject: clusters.map(subjectOf).join("; ") || "no cluster",
    startedAtMs,
    durationMs,
    notes: [
      ...clusters.map(noteOf),
      "unknown is not good: a run that did not complete proves nothing about its node",
      `read from ${store}`,
    ],
    sections: parts.flatMap(({ sections }) => sections),
    plots: parts.flatMap(({ plots }) => plots),
  };
}

function clusterPart(data: ClusterReportData, several: boolean) {
  const assessments = assessNodes(data);
  const levels = figureLevels(data.runs);
  const detections = detectionsOf(data);
  const coverage = coverageOf(assessments);
  const summary: ReportSection = {
    title: "summary",
    items: summaryItems(data, { assessments, coverage, detections }),
    judged: false,
  };
  const sections = [
    summary,
    ...nodeSections(data, assessments),
    ...otherSections(data, { levels, detections }),
  ];
  return {
    plots: clusterPlots(data, { assessments, levels, detections }),
    sections: sections.map((section) => ({
      ...section,
      title: several
        ? `${data.cluster} (${data.provenance}): ${section.title}`
        : `${section.title.slice(0, 1).toUpperCase()}${section.title.slice(1)} (${data.provenance})`,
    })),
  };
}

function subjectOf({ cluster, about, provenance }: ClusterReportData): string {
  return `${cluster} (${about}, ${provenance})`;
}

function noteOf({ cluster, fromMs, untilMs, checks, provenance }: ClusterReportData): string {
  const time = provenance === "simulated" ? " of its own, simulated time" : "";
  const names = checks.length === 0 ? "no checks" : checks.join(", ");
  return `${cluster}: ${clockText(fromMs)} to ${clockText(untilMs)}${time}; ${names}`;
}
