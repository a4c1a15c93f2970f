import { renderPlot } from "../../../platform/plots/index.ts";
import { type Markup, trustedMarkup } from "../../../platform/plots/markup.ts";
import type { SyncSample } from "../findings-history.ts";
import { html } from "./html.ts";

/** How fast the store's disk was over the doctor runs; a line needs two points. */
export function diskPlot(samples: readonly SyncSample[]): Markup | undefined {
  if (samples.length < 2) return undefined;
  const latestMs = samples.at(-1)?.atMs ?? 0;
  const before = samples.map(({ atMs }) => (atMs - latestMs) / 1000);
  const svg = renderPlot(
    {
      kind: "lines",
      title: "How long the store's disk takes to make a small write durable",
      provenance: "measured",
      x: { label: "Time before the latest doctor run", unit: "s" },
      y: { label: "Time for one write and fsync", unit: "ms", include: [0] },
      series: [
        { name: "worst", x: before, y: samples.map(({ worstMs }) => worstMs) },
        { name: "median", x: before, y: samples.map(({ medianMs }) => medianMs) },
      ],
      widthPx: 760,
      areaHeightPx: 180,
    },
    { id: "disk-plot" },
  );
  return html`<figure>${trustedMarkup(svg)}</figure>`;
}
