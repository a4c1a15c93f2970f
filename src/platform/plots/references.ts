import type { Area } from "./frame.ts";
import { spread } from "./marks.ts";
import { element, fragment, type Markup } from "./markup.ts";
import type { ReferenceBand, ReferenceLine } from "./plot.ts";
import { isDrawable, type Scale } from "./scale.ts";
import { fitText, textWidth } from "./text-size.ts";

export interface References {
  readonly lines: readonly ReferenceLine[];
  readonly bands: readonly ReferenceBand[];
}

interface Drawing {
  readonly area: Area;
  readonly x: Scale;
  readonly y: Scale;
  /** The id of the hatch pattern. */
  readonly hatch: string;
}

const labelPx = 12;
const topRowPx = 15;
const topRowsMax = 4;

/** Those that their axis can show; a bound that is no number is no bound. */
export function drawableReferences(
  references: References,
  x: Scale["kind"],
  y: Scale["kind"],
): References {
  const kindOf = (axis: "x" | "y") => (axis === "x" ? x : y);
  return {
    lines: references.lines.filter(({ axis, value }) => isDrawable(value, kindOf(axis))),
    bands: references.bands.filter(
      ({ axis, from, to }) => isDrawable(from, kindOf(axis)) && isDrawable(to, kindOf(axis)),
    ),
  };
}

/** Bands lie under the data. */
export function drawBands(bands: readonly ReferenceBand[], drawing: Drawing): Markup {
  const { area } = drawing;
  return fragment(
    ...bands.map((band) => {
      const [from, to] = [Math.min(band.from, band.to), Math.max(band.from, band.to)];
      const rectangle =
        band.axis === "x"
          ? {
              x: toX(from, drawing),
              width: toX(to, drawing) - toX(from, drawing),
              y: area.top,
              height: area.height,
            }
          : {
              x: area.left,
              width: area.width,
              y: toY(to, drawing),
              height: toY(from, drawing) - toY(to, drawing),
            };
      return fragment(
        element("rect", { class: "tp-shade", ...rectangle }),
        element("rect", { fill: `url(#${drawing.hatch})`, opacity: 0.45, ...rectangle }),
      );
    }),
  );
}

/** Lines lie over the data; horizontal ones with their labels. */
export function drawReferences(references: References, drawing: Drawing): Markup {
  const { area } = drawing;
  const lines = references.lines.map(({ axis, value }) => {
    const ends =
      axis === "x"
        ? { x1: toX(value, drawing), x2: toX(value, drawing), y1: area.top, y2: area.bottom }
        : { x1: area.left, x2: area.right, y1: toY(value, drawing), y2: toY(value, drawing) };
    return element("line", { class: "tp-ref", ...ends });
  });
  return fragment(...lines, yLabels(references, drawing));
}

function toX(value: number, { x, area }: Drawing): number {
  return area.left + x.position(value) * area.width;
}

function toY(value: number, { y, area }: Drawing): number {
  return area.bottom - y.position(value) * area.height;
}

/** Labels of vertical lines and bands, in rows above the area. */
export interface TopLabels {
  readonly heightPx: number;
  draw(areaTop: number): Markup;
}

/** Lays out those labels before the frame is, because the frame makes room for their rows. */
export function layOutTopLabels(
  references: References,
  options: { readonly x: Scale; readonly left: number; readonly right: number },
): TopLabels {
  const { x: scale, left, right } = options;
  const place = (value: number) => left + scale.position(value) * (right - left);
  const wanted = [
    ...references.bands
      .filter(({ axis }) => axis === "x")
      .map(({ label, from, to }) => ({ label, x: (place(from) + place(to)) / 2 })),
    ...references.lines
      .filter(({ axis }) => axis === "x")
      .map(({ label, value }) => ({ label, x: place(value) })),
  ].toSorted((a, b) => a.x - b.x);
  const freeFrom: number[] = [];
  const placed = wanted.map(({ label, x }) => {
    const text = fitText(label, labelPx, Math.min((right - left) * 0.6, 260));
    const width = textWidth(text, labelPx);
    const start = Math.min(Math.max(x - width / 2, left), Math.max(left, right - width));
    const found = freeFrom.findIndex((free) => free <= start);
    const row = Math.min(found < 0 ? freeFrom.length : found, topRowsMax - 1);
    freeFrom[row] = start + width + 10;
    return { text, centre: start + width / 2, row };
  });
  const rows = Math.max(0, ...placed.map(({ row }) => row + 1));
  return {
    heightPx: rows * topRowPx,
    draw: (areaTop) =>
      fragment(
        ...placed.map(({ text, centre, row }) =>
          element(
            "text",
            { x: centre, y: areaTop - 6 - row * topRowPx, "text-anchor": "middle" },
            text,
          ),
        ),
      ),
  };
}

/** Labels of horizontal lines and bands: at the left inside the area, above their line. */
function yLabels(references: References, drawing: Drawing): Markup {
  const { area } = drawing;
  const wanted = [
    ...references.bands
      .filter(({ axis }) => axis === "y")
      .map(({ label, from, to }) => ({ label, y: toY(Math.max(from, to), drawing) + 14 })),
    ...references.lines
      .filter(({ axis }) => axis === "y")
      .map(({ label, value }) => ({ label, y: toY(value, drawing) - 5 })),
  ];
  const placed = spread(
    wanted.map(({ y }) => y),
    { min: area.top + 12, max: area.bottom - 4, gap: 14 },
  );
  return fragment(
    ...wanted.map(({ label }, index) =>
      element(
        "text",
        { class: "tp-halo", x: area.left + 6, y: placed[index] ?? area.top + 12 },
        fitText(label, labelPx, area.width * 0.6),
      ),
    ),
  );
}
