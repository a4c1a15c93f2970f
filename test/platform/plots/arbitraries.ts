import fc from "fast-check";
import type {
  Axis,
  BarsPlot,
  HeatMapPlot,
  HistogramPlot,
  LanesPlot,
  LinesPlot,
  Plot,
  StatusMapPlot,
} from "../../../src/platform/plots/index.ts";
import { itemStatuses, provenances } from "../../../src/platform/words.ts";

/** Text that breaks careless writers: markup, controls, lone surrogates, every script. */
export const nastyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom(
    "<script>alert(1)</script>",
    `"'><img src=x onerror=alert(1)>`,
    "]]>&amp;&#0;",
    "\u0000\u001b[31mred\u001b[0m\r\n\t",
    "\ud800 lone \udfff",
    "| pipe | `code` | _x_ | [a](javascript:b)",
    "a very long name that will never fit into any margin ".repeat(4),
    "",
  ),
);

const nastyNumber: fc.Arbitrary<number | null> = fc.oneof(
  { weight: 6, arbitrary: fc.double({ min: -1e6, max: 1e6, noNaN: true }) },
  { weight: 2, arbitrary: fc.integer({ min: -5, max: 5 }) },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.constantFrom(null, Number.NaN, Number.POSITIVE_INFINITY, 5e-324) },
);
const numbers = fc.array(nastyNumber, { maxLength: 30 });
const plain = fc.array(fc.double(), { maxLength: 30 });
const units = fc.constantFrom("", "B", "B/s", "ms", "s", "%", "GB/s");
const scales = fc.constantFrom("linear" as const, "log" as const);
const provenance = fc.constantFrom(...provenances);

const common = {
  title: nastyText,
  provenance,
  widthPx: fc.integer({ min: 360, max: 1200 }),
  areaHeightPx: fc.integer({ min: 80, max: 500 }),
};
const ticks = fc.oneof(fc.constant([]), fc.array(fc.double(), { maxLength: 12 }));
const axis: fc.Arbitrary<Axis> = fc.record({ label: nastyText, unit: units, scale: scales, ticks });
const references = fc.array(
  fc.record({
    axis: fc.constantFrom("x" as const, "y" as const),
    value: fc.double(),
    label: nastyText,
  }),
  { maxLength: 4 },
);
const bands = fc.array(
  fc.record({
    axis: fc.constantFrom("x" as const, "y" as const),
    from: fc.double(),
    to: fc.double(),
    label: nastyText,
  }),
  { maxLength: 3 },
);

export const anyLines: fc.Arbitrary<LinesPlot> = fc.record({
  kind: fc.constant("lines" as const),
  ...common,
  x: axis,
  y: axis,
  series: fc.array(
    fc.record({ name: nastyText, x: plain, y: numbers, low: numbers, high: numbers }),
    { maxLength: 15 },
  ),
  references,
  bands,
});

export const anyBars: fc.Arbitrary<BarsPlot> = fc.record({
  kind: fc.constant("bars" as const),
  ...common,
  categories: fc.array(nastyText, { maxLength: 20 }),
  y: fc.record({ label: nastyText, unit: units, ticks }),
  series: fc.array(fc.record({ name: nastyText, values: numbers, low: numbers, high: numbers }), {
    maxLength: 14,
  }),
  stacked: fc.boolean(),
  references: fc.array(fc.record({ value: fc.double(), label: nastyText }), { maxLength: 3 }),
});

export const anyHeatMap: fc.Arbitrary<HeatMapPlot> = fc.record({
  kind: fc.constant("heat-map" as const),
  ...common,
  rowLabel: nastyText,
  columnLabel: nastyText,
  rows: fc.array(nastyText, { maxLength: 40 }),
  columns: fc.array(nastyText, { maxLength: 40 }),
  values: fc.array(numbers, { maxLength: 40 }),
  valueLabel: nastyText,
  unit: units,
  bounds: fc.record({ low: fc.double(), high: fc.double() }, { requiredKeys: [] }),
  merge: fc.constantFrom("max" as const, "min" as const, "mean" as const),
});

export const anyHistogram: fc.Arbitrary<HistogramPlot> = fc.record(
  {
    kind: fc.constant("histogram" as const),
    ...common,
    x: axis,
    values: fc.array(nastyNumber, { maxLength: 200 }),
    bins: fc.integer({ min: -3, max: 400 }),
    bounds: fc.record({ low: fc.double(), high: fc.double() }, { requiredKeys: [] }),
    marks: fc.array(fc.record({ value: fc.double(), label: nastyText }), { maxLength: 4 }),
  },
  { requiredKeys: ["kind", "title", "x", "values"] },
);

const anyStatus = fc.constantFrom(...itemStatuses);
const anyCell = fc.record({ name: nastyText, status: anyStatus, detail: nastyText });

export const anyStatusMap: fc.Arbitrary<StatusMapPlot> = fc.record({
  kind: fc.constant("status-map" as const),
  ...common,
  cellLabel: nastyText,
  rowLabel: nastyText,
  rows: fc.array(fc.record({ name: nastyText, cells: fc.array(anyCell, { maxLength: 60 }) }), {
    maxLength: 40,
  }),
});

const anyKind = fc.integer({ min: 0, max: 14 });
const anySpan = fc.record({
  from: fc.double(),
  to: fc.option(fc.double()),
  kind: anyKind,
  label: nastyText,
});

export const anyLanes: fc.Arbitrary<LanesPlot> = fc.record(
  {
    kind: fc.constant("lanes" as const),
    ...common,
    x: fc.record({ label: nastyText, unit: units }),
    kinds: fc.array(fc.record({ name: nastyText, status: anyStatus }, { requiredKeys: ["name"] }), {
      maxLength: 14,
    }),
    lanes: fc.array(
      fc.record({
        name: nastyText,
        spans: fc.array(anySpan, { maxLength: 12 }),
        marks: fc.array(fc.record({ at: fc.double(), kind: anyKind, label: nastyText }), {
          maxLength: 5,
        }),
      }),
      { maxLength: 30 },
    ),
    curve: fc.record({
      y: fc.record({ label: nastyText, unit: units }),
      series: fc.array(fc.record({ name: nastyText, x: plain, y: numbers }), { maxLength: 4 }),
    }),
  },
  { requiredKeys: ["kind", "title", "x", "kinds", "lanes"] },
);

export const anyPlot: fc.Arbitrary<Plot> = fc.oneof(
  anyLanes,
  anyLines,
  anyBars,
  anyHeatMap,
  anyHistogram,
  anyStatusMap,
);
