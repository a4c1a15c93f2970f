import { renderBars } from "./bars.ts";
import { renderHeatMap } from "./heat-map.ts";
import { renderHistogram } from "./histogram.ts";
import { renderLanes } from "./lanes.ts";
import { renderLines } from "./lines.ts";
import type { Plot, RenderOptions } from "./plot.ts";
import { renderStatusMap } from "./status-map.ts";

/** Any plot as a complete SVG document that can also stand inside an HTML page. */
export function renderPlot(plot: Plot, options: RenderOptions = {}): string {
  switch (plot.kind) {
    case "lines":
      return renderLines(plot, options);
    case "bars":
      return renderBars(plot, options);
    case "heat-map":
      return renderHeatMap(plot, options);
    case "histogram":
      return renderHistogram(plot, options);
    case "status-map":
      return renderStatusMap(plot, options);
    case "lanes":
      return renderLanes(plot, options);
  }
}
