import type { Area } from "./frame.ts";
import { at, colourClass, statusClass } from "./marks.ts";
import { element, fragment, type Markup } from "./markup.ts";
import type { LaneMark, LaneSpan, LanesPlot } from "./plot.ts";
import { isDrawable, type Scale } from "./scale.ts";
import { fitText, textWidth } from "./text-size.ts";

export const lanePx = 26;
const barPx = 17;
const labelSizePx = 11;
const widthPxMin = 2;

/** Where lanes are drawn. */
export interface LaneDrawing {
  readonly area: Area;
  readonly x: Scale;
  readonly kinds: LanesPlot["kinds"];
  /** The id of a kind's fill pattern. */
  readonly fillId: (kind: number) => string;
}

/** The colour of a kind: its status' own, or that of its place. */
export function kindClass(kinds: LanesPlot["kinds"], kind: number): string {
  const status = kinds[kind]?.status;
  return status === undefined ? colourClass(Math.max(0, kind)) : statusClass(status);
}

/** One lane: its name, a line to follow, stretches and moments. */
export function drawLane(
  lane: LanesPlot["lanes"][number],
  row: number,
  drawing: LaneDrawing,
): Markup {
  const { area } = drawing;
  const middle = area.top + (row + 0.5) * lanePx;
  // A moment often is where its stretch begins; the label starts behind it.
  const labelPx = (lane.marks ?? []).length > 0 ? 16 : 5;
  return fragment(
    element("line", { class: "tp-grid", x1: area.left, x2: area.right, y1: middle, y2: middle }),
    element(
      "text",
      { class: "tp-tick", x: area.left - 8, y: middle + 4, "text-anchor": "end" },
      fitText(lane.name, 12, area.left - 12),
    ),
    ...lane.spans.map((span) => drawSpan(span, middle, { ...drawing, labelPx })),
    ...(lane.marks ?? []).map((mark) => drawMark(mark, middle, drawing)),
  );
}

/** A stretch that has not ended has no right edge. */
function drawSpan(
  span: LaneSpan,
  middle: number,
  drawing: LaneDrawing & { readonly labelPx: number },
): Markup | undefined {
  const { area, kinds, fillId, labelPx } = drawing;
  if (!isDrawable(span.from, "linear")) return undefined;
  const to = isDrawable(span.to, "linear") ? span.to : drawing.x.max;
  const [left, right] = [span.from, Math.max(span.from, to)].map((value) => toX(value, drawing));
  const x = Math.min(left ?? area.left, area.right - widthPxMin);
  const width = Math.max(widthPxMin, (right ?? x) - x);
  const top = middle - barPx / 2;
  const isOpen = !isDrawable(span.to, "linear");
  return element(
    "g",
    {},
    element("title", {}, span.label),
    element("rect", {
      class: `${kindClass(kinds, span.kind)} tp-bar${isOpen ? " tp-dashed" : ""}`,
      x,
      y: top,
      width,
      height: barPx,
      rx: Math.min(3, width / 2),
      fill: `url(#${fillId(span.kind)})`,
    }),
    textWidth(span.label, labelSizePx) + labelPx + 3 > width
      ? undefined
      : element("text", { class: "tp-cell tp-halo", x: x + labelPx, y: middle + 4 }, span.label),
  );
}

/** A moment: a diamond that stands out of its lane. */
function drawMark(mark: LaneMark, middle: number, drawing: LaneDrawing): Markup | undefined {
  if (!isDrawable(mark.at, "linear")) return undefined;
  return element(
    "g",
    {},
    element("title", {}, mark.label),
    diamond(kindClass(drawing.kinds, mark.kind), toX(mark.at, drawing), middle),
  );
}

export function diamond(colour: string, x: number, y: number): Markup {
  const d = `M${at(x, y - 6.5)}L${at(x + 5, y)}L${at(x, y + 6.5)}L${at(x - 5, y)}Z`;
  return element("path", { class: `${colour} tp-open`, d });
}

function toX(value: number, { x, area }: LaneDrawing): number {
  return area.left + x.position(value) * area.width;
}
