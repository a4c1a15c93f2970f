import type { HistogramPlot } from "../../platform/plots/index.ts";
import type { RuleName } from "../classify/index.ts";
import type { ClusterReportData } from "./data.ts";
import type { FigureLevels, NodeLevel } from "./figure-levels.ts";

const plotsMax = 3;
const namedMax = 4;
/** Findings whose bound is one for the middle of a run, so that it can be drawn among them. */
const boundRules: ReadonlySet<RuleName> = new Set<RuleName>(["floor", "band", "baseline"]);

/**
 * How the nodes are spread in the figures that found something, and in that with the largest lag
 * where nothing was found; with the bound they were held against, and the outliers by name.
 */
export function distributionPlot(
  data: ClusterReportData,
  levels: readonly FigureLevels[],
): readonly HistogramPlot[] {
  const ranked = levels
    .map((level) => ({ level, bad: level.nodes.filter((node) => isBad(node, level.figure)) }))
    .toSorted((a, b) => b.bad.length - a.bad.length || lag(b.level) - lag(a.level));
  const found = ranked.filter(({ bad }) => bad.length > 0);
  const shown = found.length > 0 ? found.slice(0, plotsMax) : ranked.slice(0, 1);
  return shown.map(({ level, bad }) => histogram(data, level, bad));
}

function histogram(
  { cluster, provenance }: ClusterReportData,
  level: FigureLevels,
  bad: readonly NodeLevel[],
): HistogramPlot {
  const { check, figure, unit, higherIsBetter, nodes } = level;
  const bound = boundOf(level);
  const named = bad.length > 0 ? bad : nodes.filter(({ loss }) => loss > 0).slice(0, 1);
  return {
    kind: "histogram",
    title: `${cluster}: ${figure} of ${check}, each node's newest run`,
    provenance,
    x: { label: `${figure} (${higherIsBetter ? "more" : "less"} is better)`, unit },
    values: nodes.map(({ value }) => value),
    ...(bound === undefined ? {} : { bounds: higherIsBetter ? { low: bound } : { high: bound } }),
    marks: named.slice(0, namedMax).map(({ node, value }) => ({ value, label: node })),
  };
}

/** A node whose run in this figure was called bad. */
function isBad({ run }: NodeLevel, figure: string): boolean {
  const { verdict } = run;
  if (verdict?.verdict !== "fail" && verdict?.verdict !== "suspect") return false;
  return verdict.findings.some(({ metric }) => metric === figure);
}

/** The bound most recently named for this figure. */
function boundOf({ figure, nodes }: FigureLevels): number | undefined {
  const newest = nodes
    .map(({ run }) => run)
    .toSorted((a, b) => b.intent.plannedAtMs - a.intent.plannedAtMs);
  for (const { verdict } of newest) {
    const finding = verdict?.findings.find(
      ({ metric, rule, bound }) => metric === figure && boundRules.has(rule) && bound !== null,
    );
    if (typeof finding?.bound === "number") return finding.bound;
  }
  return undefined;
}

function lag({ nodes }: FigureLevels): number {
  return nodes[0]?.loss ?? 0;
}
