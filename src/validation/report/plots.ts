import type {
  BarsPlot,
  HeatMapPlot,
  HistogramPlot,
  Plot,
  StatusMapPlot,
} from "../../platform/plots/index.ts";
import { verdicts } from "../../platform/words.ts";
import { days, type NodeAssessment } from "./assess-nodes.ts";
import type { ClusterReportData, ReportNode } from "./data.ts";
import { type Detections, hoursToDetect } from "./detection.ts";
import { distributionPlot } from "./distribution-plot.ts";
import type { FigureLevels } from "./figure-levels.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const bucketsMax = 60;
/** With fewer of them a picture says no more than its numbers. */
const nodesForMaps = 4;
const runsForBars = 3;
const racksMax = 40;
/** An axis up to here has whole numbers; runs are counted in no others. */
const integerTicksFrom = 4;
const perRowWithoutRacks = 32;

/** What can be seen at a glance, most important first. */
export function clusterPlots(
  data: ClusterReportData,
  parts: {
    readonly assessments: readonly NodeAssessment[];
    readonly levels: readonly FigureLevels[];
    readonly detections: Detections;
  },
): readonly Plot[] {
  const { assessments, levels, detections } = parts;
  const many = assessments.length >= nodesForMaps;
  const someAge = assessments.some(({ ageDays }) => ageDays !== undefined);
  return [
    ...(many ? [statusMap(data, assessments)] : []),
    ...(data.runs.length >= runsForBars ? [verdictsPlot(data)] : []),
    ...(many && someAge ? [ageMap(data, assessments)] : []),
    ...distributionPlot(data, levels),
    ...detectionPlot(data, detections),
  ];
}

/** Each node by what is concluded about it. */
function statusMap(
  data: Pick<ClusterReportData, "cluster" | "provenance">,
  assessments: readonly NodeAssessment[],
): StatusMapPlot {
  const rows = inRows(assessments, ({ node }) => node);
  return {
    kind: "status-map",
    title: `${data.cluster}: what is known about each node`,
    provenance: data.provenance,
    cellLabel: "node",
    rowLabel: rows.byRack ? "rack" : "",
    labels: { skipped: "not tested" },
    rows: rows.rows.map(({ name, items }) => ({
      name,
      cells: items.map(({ node, status, reason, ageDays }) => ({
        name: node.name,
        status,
        detail: `${reason}${ageDays === undefined ? "" : `; oldest evidence ${days(ageDays)}`}`,
      })),
    })),
  };
}

/** Nodes in rows: by rack where racks are known and few enough, else in lines of equal length. */
function inRows<T>(
  items: readonly T[],
  nodeOf: (item: T) => Pick<ReportNode, "rack">,
): {
  readonly byRack: boolean;
  readonly rows: readonly { readonly name: string; readonly items: readonly T[] }[];
} {
  const racks = new Map<string, T[]>();
  for (const item of items) {
    const rack = nodeOf(item).rack;
    racks.set(rack, [...(racks.get(rack) ?? []), item]);
  }
  if (racks.size > 1 && racks.size <= racksMax) {
    const sorted = [...racks].toSorted(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
    return {
      byRack: true,
      rows: sorted.map(([name, members]) => ({ name: name || "(no rack)", items: members })),
    };
  }
  const rows: { name: string; items: readonly T[] }[] = [];
  for (let from = 0; from < items.length; from += perRowWithoutRacks) {
    rows.push({ name: "", items: items.slice(from, from + perRowWithoutRacks) });
  }
  return { byRack: false, rows };
}

/** How the runs of each hour, day or week were judged. */
function verdictsPlot(data: ClusterReportData): BarsPlot {
  const { cluster, provenance, runs, fromMs, untilMs } = data;
  const spanMs = Math.max(1, untilMs - fromMs);
  const bucketMs = [hourMs, dayMs, 7 * dayMs].find((candidate) => spanMs / candidate <= bucketsMax);
  const widthMs = bucketMs ?? Math.ceil(spanMs / bucketsMax / dayMs) * dayMs;
  const firstMs = Math.floor(fromMs / widthMs) * widthMs;
  const count = Math.min(bucketsMax + 1, Math.ceil((untilMs - firstMs) / widthMs));
  const starts = Array.from({ length: Math.max(1, count) }, (_, at) => firstMs + at * widthMs);
  const tally = new Map(verdicts.map((verdict) => [verdict, starts.map(() => 0)]));
  for (const { intent, result, verdict } of runs) {
    if (result === undefined) continue;
    const bars = tally.get(verdict?.verdict ?? "unknown");
    const at = Math.floor((intent.plannedAtMs - firstMs) / widthMs);
    if (bars?.[at] !== undefined) bars[at] += 1;
  }
  const per = { [hourMs]: "hour", [dayMs]: "day", [7 * dayMs]: "week" };
  return {
    kind: "bars",
    title: `${cluster}: verdicts per ${per[widthMs] ?? "stretch of days"}`,
    provenance,
    categories: starts.map((startMs) => labelOf(startMs, widthMs)),
    y: { label: "Runs planned then, by verdict", include: [integerTicksFrom] },
    stacked: true,
    series: verdicts
      .filter((verdict) => tally.get(verdict)?.some((runsThen) => runsThen > 0))
      .map((verdict) => ({ name: verdict, status: verdict, values: tally.get(verdict) ?? [] })),
  };
}

function labelOf(atMs: number, widthMs: number): string {
  const iso = new Date(atMs).toISOString();
  return widthMs < dayMs ? `${iso.slice(8, 10)}. ${iso.slice(11, 16)}` : iso.slice(5, 10);
}

/** How old the evidence about each node is. */
function ageMap(data: ClusterReportData, assessments: readonly NodeAssessment[]): HeatMapPlot {
  const { rows, byRack } = inRows(assessments, ({ node }) => node);
  const widest = rows.reduce((most, { items }) => Math.max(most, items.length), 0);
  return {
    kind: "heat-map",
    title: `${data.cluster}: how old the oldest evidence about each node is`,
    provenance: data.provenance,
    rowLabel: byRack ? "rack" : "row",
    columnLabel: byRack ? "place in the rack" : "place in the row",
    rows: rows.map(({ name }, at) => name || `${at * perRowWithoutRacks + 1} on`),
    columns: Array.from({ length: widest }, (_, at) => String(at + 1)),
    values: rows.map(({ items }) =>
      Array.from({ length: widest }, (_, at) => items[at]?.ageDays ?? null),
    ),
    valueLabel: "Age",
    unit: "d",
    bounds: { high: data.staleAfterDays },
    areaHeightPx: Math.max(80, Math.min(320, rows.length * 24)),
  };
}

function detectionPlot(
  { cluster, provenance }: ClusterReportData,
  detections: Detections,
): readonly HistogramPlot[] {
  const hours = hoursToDetect(detections);
  if (hours.length < 2) return [];
  const from = detections.from === "onset" ? "the defect's onset" : "the first bad run";
  return [
    {
      kind: "histogram",
      title: `${cluster}: how long it took to call a bad node bad`,
      provenance,
      x: { label: `Time from ${from} to the verdict`, unit: "s", include: [0] },
      values: hours.map((value) => value * 3600),
    },
  ];
}
