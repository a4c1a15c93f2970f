import type { Area } from "./frame.ts";
import { at, colourClass, statusClass } from "./marks.ts";
import { element, fragment, type Markup } from "./markup.ts";
import type { BarSeries } from "./plot.ts";
import { isDrawable, type Scale } from "./scale.ts";
import { textWidth } from "./text-size.ts";

/** Bars ready to be drawn into an area. */
export interface Bars {
  readonly categories: readonly string[];
  readonly series: readonly BarSeries[];
  readonly y: Scale;
  readonly area: Area;
  /** The id of a series' fill pattern. */
  readonly fillId: (index: number) => string;
}

export const barPxMax = 72;
export const labelSizePx = 11;

/** The colour of a series: its status' own, or that of its place. */
export function barClass(series: readonly BarSeries[], index: number): string {
  const status = series[index]?.status;
  return status === undefined ? colourClass(index) : statusClass(status);
}

/** The line the bars stand on. */
export function baseLine({ area, y }: Bars): Markup {
  const zero = area.bottom - y.position(0) * area.height;
  return element("line", { class: "tp-axis", x1: area.left, x2: area.right, y1: zero, y2: zero });
}

export function drawBars(bars: Bars): Markup {
  const { categories, series, area } = bars;
  const slot = area.width / Math.max(1, categories.length);
  const group = Math.min(slot * 0.8, barPxMax * series.length);
  const width = group / series.length;
  const labelled = labelsFit(bars, width);
  return fragment(
    ...categories.flatMap((_, category) =>
      series.map((one, index) => {
        const left = area.left + (category + 0.5) * slot - group / 2 + index * width;
        return drawBar(bars, { one, index, category, left, width, labelled });
      }),
    ),
  );
}

/** All bars carry their value or none does: a label on some reads as a remark about them. */
function labelsFit({ series, y }: Bars, widthPx: number): boolean {
  return series.every(({ values }) =>
    values.every(
      (value) =>
        !isDrawable(value, "linear") || textWidth(y.format(value), labelSizePx) <= widthPx + 4,
    ),
  );
}

interface Bar {
  readonly one: BarSeries;
  readonly index: number;
  readonly category: number;
  readonly left: number;
  readonly width: number;
  readonly labelled: boolean;
}

function drawBar(bars: Bars, bar: Bar): Markup | undefined {
  const { area, y, fillId } = bars;
  const value = bar.one.values[bar.category];
  const toY = (amount: number) => area.bottom - y.position(amount) * area.height;
  const centre = bar.left + bar.width / 2;
  const zero = toY(0);
  if (!isDrawable(value, "linear")) return absent(centre, zero - 4, bar.width);
  const end = toY(value);
  const low = bar.one.low?.[bar.category];
  const high = bar.one.high?.[bar.category];
  const withError = isDrawable(low, "linear") && isDrawable(high, "linear");
  const ends = withError ? [end, toY(low), toY(high)] : [end];
  return fragment(
    element("rect", {
      class: `${barClass(bars.series, bar.index)} tp-bar`,
      x: bar.left + bar.width * 0.06,
      y: Math.min(zero, end),
      width: bar.width * 0.88,
      height: Math.max(Math.abs(zero - end), 0.5),
      fill: `url(#${fillId(bar.index)})`,
    }),
    withError ? errorBar(centre, toY(low), toY(high), Math.min(6, bar.width / 3)) : undefined,
    // Beyond the end of the error bar, so that they do not cross.
    bar.labelled
      ? valueLabel(
          y.format(value),
          centre,
          value < 0
            ? Math.min(Math.max(...ends) + 13, area.bottom)
            : Math.max(Math.min(...ends) - 5, area.top),
        )
      : undefined,
  );
}

export function valueLabel(text: string, x: number, y: number): Markup {
  return element("text", { class: "tp-cell tp-halo", x, y, "text-anchor": "middle" }, text);
}

function absent(x: number, y: number, widthPx: number): Markup | undefined {
  if (widthPx < 8) return undefined;
  return element("text", { class: "tp-tick", x, y, "text-anchor": "middle" }, "–");
}

function errorBar(x: number, low: number, high: number, cap: number): Markup {
  const ends = [high, low].map((y) => `M${at(x - cap, y)}L${at(x + cap, y)}`).join("");
  return element("path", { class: "tp-error", d: `${ends}M${at(x, high)}L${at(x, low)}` });
}
