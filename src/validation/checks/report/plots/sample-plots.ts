import type { BarsPlot, LinesPlot, Plot } from "../../../../platform/plots/index.ts";
import {
  directionOf,
  floorLines,
  gpusOf,
  type PlottedFigure,
  spreadLabel,
  titleOf,
} from "./plotted-figure.ts";
import { shareAxis } from "./share-axis.ts";

/** From so many samples on their course says more than their middle. */
const samplesForLines = 5;
const linesMax = 4;
const barsMax = 12;
/** With fewer a picture says no more than its numbers. */
const barsMin = 2;

/**
 * Figures of the machine as a whole sample by sample, those with few samples and those of a single GPU
 * as bars beside each other.
 */
export function samplePlots(figures: readonly PlottedFigure[]): readonly Plot[] {
  const isOneGpu = gpusOf(figures).length === 1;
  const own = figures.filter(({ gpu }) => gpu === undefined);
  const lines = own.filter(({ samples }) => finiteOf(samples) >= samplesForLines);
  const bars = [
    ...figures.filter(({ gpu }) => isOneGpu && gpu !== undefined),
    ...own.filter((figure) => !lines.includes(figure)),
  ];
  return [
    ...shareAxis(lines, linesMax).map(linesOf),
    ...shareAxis(bars, barsMax)
      .filter((group) => group.length >= barsMin)
      .map(barsOf),
  ];
}

function finiteOf(samples: readonly number[]): number {
  return samples.filter((sample) => Number.isFinite(sample)).length;
}

function linesOf(group: readonly PlottedFigure[]): LinesPlot {
  const [first] = group;
  return {
    kind: "lines",
    title: titleOf(
      group.map(({ name }) => name),
      "sample by sample",
    ),
    provenance: "measured",
    x: { label: "Sample, as handed in" },
    y: { label: `Value, ${directionOf(first)}`, unit: first?.unit ?? "", include: [0] },
    series: group.map(({ name, samples }) => ({
      name,
      x: samples.map((_, at) => at + 1),
      y: samples.map((sample) => (Number.isFinite(sample) ? sample : null)),
    })),
    references: floorLines(group).map((line) => ({ axis: "y", ...line })),
  };
}

function barsOf(group: readonly PlottedFigure[]): BarsPlot {
  const [first] = group;
  const value = (of: "median" | "low" | "high") =>
    group.map(({ spread, samples }) => {
      // A single sample has no spread to draw.
      return spread === undefined || (of !== "median" && samples.length < 2) ? null : spread[of];
    });
  return {
    kind: "bars",
    title: titleOf(
      group.map(({ name }) => name),
      "beside each other",
    ),
    provenance: "measured",
    categories: group.map(({ name }) => name),
    y: { label: spreadLabel(first), unit: first?.unit ?? "" },
    series: [{ name: "median", values: value("median"), low: value("low"), high: value("high") }],
    references: floorLines(group),
  };
}
