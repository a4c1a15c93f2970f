import { formatQuantity } from "../../platform/plots/index.ts";
import type { ReportItem, ReportSection } from "../../platform/reporters/index.ts";
import type { ClusterReportData } from "./data.ts";
import type { Detections } from "./detection.ts";
import { counted, factsOf, figureItem, percent } from "./facts.ts";
import type { FigureLevels } from "./figure-levels.ts";
import { hoursText } from "./summary.ts";
import { errorKinds, incidentsOf } from "./troubles.ts";

const slowestPerFigure = 3;
const slowestMax = 40;
const errorsMax = 30;
const incidentsMax = 30;
const detectionsMax = 50;

/** What else is worth knowing: figures and events, without a verdict. */
export function otherSections(
  data: ClusterReportData,
  parts: { readonly levels: readonly FigureLevels[]; readonly detections: Detections },
): readonly ReportSection[] {
  return [
    { title: "slowest nodes", items: slowestItems(data, parts.levels) },
    { title: "time to detect", items: detectionItems(data, parts.detections) },
    { title: "incidents", items: incidentItems(data) },
    { title: "runs that did not complete", items: errorItems(data) },
  ]
    .filter(({ items }) => items.length > 0)
    .map((section) => ({ ...section, judged: false }));
}

function slowestItems(
  { provenance }: ClusterReportData,
  levels: readonly FigureLevels[],
): readonly ReportItem[] {
  const rows = levels.flatMap((level) =>
    level.nodes
      .slice(0, slowestPerFigure)
      .filter(({ loss }) => loss > 0)
      .map((node) => ({ level, node })),
  );
  return rows
    .toSorted((a, b) => b.node.loss - a.node.loss)
    .slice(0, slowestMax)
    .map(({ level, node }) => {
      const { check, figure, unit, median, sku, nodes } = level;
      const side = level.higherIsBetter ? "below" : "above";
      const reason = `${figure} of ${check} is ${formatQuantity(node.value, unit)}, ${percent(node.loss)} ${side} the median ${formatQuantity(median, unit)} of ${counted(nodes.length, "node")} (${sku})`;
      const facts = factsOf(provenance, [
        [figure, node.value, unit],
        ["median of the cohort", median, unit],
        ["behind the median", node.loss * 100, "%"],
      ]);
      return figureItem(node.node, reason, { provenance, facts });
    });
}

function detectionItems(
  { provenance, untilMs }: ClusterReportData,
  { all, from }: Detections,
): readonly ReportItem[] {
  const since = from === "onset" ? "its onset" : "its first bad run";
  return all
    .toSorted((a, b) => b.sinceMs - a.sinceMs)
    .slice(0, detectionsMax)
    .map(({ node, kind, sinceMs, foundAtMs }) => {
      const hours = Math.max(0, (foundAtMs ?? untilMs) - sinceMs) / 3_600_000;
      const what = kind === undefined ? "" : `${kind}: `;
      const reason =
        foundAtMs === undefined
          ? `${what}not found yet, ${hoursText(hours)} after ${since}`
          : `${what}found ${hoursText(hours)} after ${since}`;
      const facts = factsOf(provenance, [["time to detect", foundAtMs && hours, "h"]]);
      return figureItem(node, reason, { provenance, facts });
    });
}

function incidentItems({ runs, provenance }: ClusterReportData): readonly ReportItem[] {
  return incidentsOf(runs)
    .slice(0, incidentsMax)
    .map((incident) => {
      const { check, fromMs, toMs, nodes, reason } = incident;
      const when = `${clockText(fromMs)} to ${clockText(toMs)}`;
      return figureItem(check, `${when}: ${counted(nodes, "node")} at once. ${reason}`, {
        provenance,
        facts: factsOf(provenance, [
          ["nodes", nodes],
          ["runs", incident.runs],
        ]),
      });
    });
}

function errorItems({ runs, provenance }: ClusterReportData): readonly ReportItem[] {
  return errorKinds(runs)
    .slice(0, errorsMax)
    .map(({ outcome, what, runs: count, nodes, example }) =>
      figureItem(outcome, `${counted(count, "run")} on ${counted(nodes, "node")}: ${what}`, {
        provenance,
        facts: factsOf(provenance, [
          ["runs", count],
          ["nodes", nodes],
          ["for example", example],
        ]),
      }),
    );
}

/** `2026-03-01 09:30 UTC`. */
export function clockText(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
