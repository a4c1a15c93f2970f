export { renderBars } from "./bars.ts";
export { renderHeatMap } from "./heat-map.ts";
export { renderHistogram } from "./histogram.ts";
export { renderLanes } from "./lanes.ts";
export { renderLines } from "./lines.ts";
export type {
  Axis,
  BarSeries,
  BarsPlot,
  Bounds,
  HeatMapPlot,
  HistogramPlot,
  LaneMark,
  LaneSpan,
  LanesPlot,
  LineSeries,
  LinesPlot,
  MaybeNumber,
  Plot,
  ReferenceBand,
  ReferenceLine,
  RenderOptions,
  StatusCell,
  StatusMapPlot,
} from "./plot.ts";
export { renderPlot } from "./render.ts";
export { renderStatusMap } from "./status-map.ts";
export { plotStyle } from "./theme.ts";
export { formatQuantity, type Unit } from "./units.ts";
