import { type Bars, barClass, barPxMax, labelSizePx, valueLabel } from "./bar-marks.ts";
import { element, fragment, type Markup } from "./markup.ts";
import type { BarsPlot, MaybeNumber } from "./plot.ts";
import { isDrawable } from "./scale.ts";
import { textWidth } from "./text-size.ts";

const largest = Number.MAX_VALUE;

/** How high each category's stack is. What is no number, or less than nothing, adds nothing. */
export function heightsOf({
  categories,
  series,
}: Pick<BarsPlot, "categories" | "series">): number[] {
  return categories.map((_, category) =>
    series.reduce((sum, { values }) => Math.min(sum + amountOf(values[category]), largest), 0),
  );
}

/** One bar for each category, its series from the base up, with the sum above it. */
export function drawStacks(bars: Bars): Markup {
  const { categories, area, y } = bars;
  const slot = area.width / Math.max(1, categories.length);
  const width = Math.min(slot * 0.8, barPxMax);
  const heights = heightsOf(bars);
  // A stack up to the edge has no place above it; where that is the whole, its sum says nothing.
  const labelled = heights.every(
    (height) => height < 0.99 * y.max && textWidth(y.format(height), labelSizePx) <= slot * 0.95,
  );
  return fragment(
    ...heights.map((height, category) => {
      const centre = area.left + (category + 0.5) * slot;
      const top = area.bottom - y.position(height) * area.height;
      return fragment(
        drawStack(bars, { category, left: centre - width / 2, width }),
        labelled && height > 0 ? valueLabel(y.format(height), centre, top - 5) : undefined,
      );
    }),
  );
}

function drawStack(
  { series, y, area, fillId }: Bars,
  place: { readonly category: number; readonly left: number; readonly width: number },
): Markup {
  let base = 0;
  const toY = (amount: number) => area.bottom - y.position(amount) * area.height;
  return fragment(
    ...series.map(({ values }, index) => {
      const amount = amountOf(values[place.category]);
      const from = base;
      base = Math.min(base + amount, largest);
      if (amount === 0) return undefined;
      return element("rect", {
        class: `${barClass(series, index)} tp-bar`,
        x: place.left,
        y: toY(base),
        width: place.width,
        height: Math.max(toY(from) - toY(base), 0.5),
        fill: `url(#${fillId(index)})`,
      });
    }),
  );
}

function amountOf(value: MaybeNumber | undefined): number {
  return isDrawable(value, "linear") && value > 0 ? value : 0;
}
