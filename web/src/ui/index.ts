export { Badge, ProvenanceTag, StandingBadge, StateBadge } from "./badges.tsx";
export { Button } from "./button.tsx";
export { Code } from "./code.tsx";
export { type Column, DataTable } from "./data-table.tsx";
export { Dialog } from "./dialog.tsx";
export { Field } from "./field.tsx";
export {
  LinePlot,
  type PlotBand,
  type PlotMark,
  type PlotSeries,
} from "./line-plot.tsx";
export { Link } from "./link.tsx";
export { Empty, Loading, ProblemNote, QueryView } from "./notes.tsx";
export { Page } from "./page.tsx";
export { listCursor, Pager } from "./pager.tsx";
export { Panel } from "./panel.tsx";
export { Sentence } from "./sentence.tsx";
export { Sparkline } from "./sparkline.tsx";
export { Stat } from "./stat.tsx";
export { Tabs } from "./tabs.tsx";
export { nowMs, Time } from "./time.tsx";
export { standingOrder, standingSigns, type Tone } from "./tone.ts";
export { Untold } from "./untold.tsx";
export { refusalOf, useAction } from "./use-action.ts";
export { Words } from "./words.tsx";
