import type { LineSeries, LinesPlot } from "../../platform/plots/index.ts";
import type { Provenance } from "../../platform/words.ts";

/** Curves over the size, where all have the same origin and where each says its own. */
export interface Curves {
  /** Undefined where the names of the curves say it. */
  readonly provenance: Provenance | undefined;
  readonly series: readonly LineSeries[];
}

const sizeAxis = { label: "Size", unit: "B", scale: "log" } as const;

/** How long each size takes; y in milliseconds. */
export function timePlot({ provenance, series }: Curves): LinesPlot {
  return {
    kind: "lines",
    title: "Time",
    ...(provenance === undefined ? {} : { provenance }),
    x: sizeAxis,
    y: { label: "Time", unit: "ms", scale: "log" },
    series,
  };
}

/** Bandwidth at each size; y in GB/s. */
export function bandwidthPlot({ provenance, series }: Curves): LinesPlot {
  return {
    kind: "lines",
    title: "Bandwidth",
    ...(provenance === undefined ? {} : { provenance }),
    x: sizeAxis,
    y: { label: "Bandwidth", unit: "GB/s", include: [0] },
    series,
  };
}
