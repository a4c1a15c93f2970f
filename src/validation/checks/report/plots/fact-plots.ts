import type { LineSeries, LinesPlot, Plot } from "../../../../platform/plots/index.ts";
import type { JsonObject } from "../../../../platform/store/index.ts";

const depthMax = 4;
const rowsMax = 512;
const curvesMax = 8;
const percentilesMin = 3;

/** What a value measures, by how its name ends, and how it is drawn. */
interface Measure {
  readonly what: string;
  readonly unit: string;
  /** By what it is multiplied to be in that unit. */
  readonly factor: number;
}

const time = { what: "Time", unit: "ms" } as const;
const bandwidth = { what: "Bandwidth", unit: "GB/s", factor: 1 } as const;
const measures: readonly (readonly [ending: RegExp, measure: Measure])[] = [
  [/(?:Ns|_ns)$/, { ...time, factor: 1e-6 }],
  [/(?:Us|_us)$/, { ...time, factor: 1e-3 }],
  [/(?:Ms|_ms)$/, { ...time, factor: 1 }],
  [/(?:GBps|_gbps)$/, bandwidth],
];
const sizeName = /^(?:bytes|size_?bytes)$/i;
const percentileName = /^p(\d{1,2}(?:\.\d{1,6})?)$/;

/**
 * Curves that stand in the facts of a result, found by their form: tables with a size in each row, and
 * latencies by percentile.
 */
export function factPlots(facts: JsonObject): readonly Plot[] {
  const found: Found = { tables: [], percentiles: [] };
  walk(facts, { path: [], found });
  return [...found.tables.flatMap(sizePlots), ...percentilePlots(found.percentiles)];
}

interface Found {
  readonly tables: { readonly path: readonly string[]; readonly rows: readonly Row[] }[];
  readonly percentiles: { readonly path: readonly string[]; readonly row: Row }[];
}

type Row = Readonly<Record<string, unknown>>;

function walk(
  value: unknown,
  { path, found }: { readonly path: readonly string[]; readonly found: Found },
): void {
  if (path.length > depthMax) return;
  if (Array.isArray(value)) {
    const rows = value.slice(0, rowsMax).filter(isRow);
    if (rows.length > 1 && rows.length === value.length) found.tables.push({ path, rows });
    return;
  }
  if (!isRow(value)) return;
  const entries = Object.entries(value);
  const isPercentiles =
    entries.length >= percentilesMin && entries.every(([name]) => percentileName.test(name));
  if (isPercentiles) found.percentiles.push({ path, row: value });
  else for (const [name, one] of entries) walk(one, { path: [...path, name], found });
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function measureOf(name: string): { readonly measure: Measure; readonly bare: string } | undefined {
  const known = measures.find(([ending]) => ending.test(name));
  if (known === undefined) return undefined;
  const [ending, measure] = known;
  return { measure, bare: name.replace(ending, "") || measure.what.toLowerCase() };
}

/** A table with a size in each row: its times, and its bandwidths, over the size. */
function sizePlots({ path, rows }: Found["tables"][number]): readonly LinesPlot[] {
  const sizeKey = Object.keys(rows[0] ?? {}).find((name) => sizeName.test(name));
  if (sizeKey === undefined) return [];
  const x = rows.map((row) => numberIn(row, sizeKey) ?? 0).filter((size) => size > 0);
  if (x.length < rows.length || new Set(x).size < 2) return [];
  const byWhat = new Map<string, { readonly measure: Measure; readonly series: LineSeries[] }>();
  for (const name of new Set(rows.flatMap((row) => Object.keys(row)))) {
    const named = measureOf(name);
    if (named === undefined) continue;
    const { measure, bare } = named;
    const y = rows.map((row) => scaledBy(measure.factor, numberIn(row, name)));
    if (y.every((value) => value === null)) continue;
    const known = byWhat.get(measure.what) ?? { measure, series: [] };
    known.series.push({ name: bare, x, y });
    byWhat.set(measure.what, known);
  }
  return [...byWhat.values()].map(({ measure, series }) => ({
    kind: "lines",
    title: `${measure.what} by size (${path.join(", ") || "facts"})`,
    provenance: "measured",
    x: { label: "Size", unit: "B", scale: "log" },
    y:
      measure.what === time.what
        ? { label: measure.what, unit: measure.unit, scale: "log" }
        : { label: measure.what, unit: measure.unit, include: [0] },
    series: series.slice(0, curvesMax),
  }));
}

/** Latencies by percentile, those of one name in one plot: a curve for each place they stand in. */
function percentilePlots(percentiles: Found["percentiles"]): readonly LinesPlot[] {
  const byName = new Map<string, { readonly place: string; readonly row: Row }[]>();
  for (const { path, row } of percentiles) {
    const name = path.at(-1) ?? "";
    const place = path.slice(-2, -1).join("") || name;
    byName.set(name, [...(byName.get(name) ?? []), { place, row }]);
  }
  return [...byName].flatMap(([name, all]): readonly LinesPlot[] => {
    const { measure, bare } = measureOf(name) ?? {};
    if (measure === undefined) return [];
    return [
      {
        kind: "lines",
        title: `Slow requests: ${bare} by percentile`,
        provenance: "measured",
        // Percentiles crowd below 100, where the slow requests are; by how rare they are they stand apart.
        x: { label: "One in so many took longer", scale: "log" },
        y: { label: measure.what, unit: measure.unit, scale: "log" },
        series: all.slice(0, curvesMax).map(({ place, row }) => curveOf(place, row, measure)),
      },
    ];
  });
}

function curveOf(name: string, row: Row, { factor }: Measure): LineSeries {
  const points = Object.keys(row).map((key) => {
    const percentile = Number(percentileName.exec(key)?.[1]);
    return { x: 100 / (100 - percentile), y: scaledBy(factor, numberIn(row, key)) };
  });
  return { name, x: points.map(({ x }) => x), y: points.map(({ y }) => y) };
}

function numberIn(row: Row, name: string): number | null {
  const value = row[name];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function scaledBy(factor: number, value: number | null): number | null {
  return value === null ? null : factor * value;
}
