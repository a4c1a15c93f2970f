import type { ItemStatus } from "../words.ts";
import { element, formatCoordinate, type Markup } from "./markup.ts";
import { seriesColours, seriesDashes } from "./theme.ts";

/** Series a plot can keep apart; more are left out and counted in a note. */
export const seriesMax = 12;

export function colourClass(series: number): string {
  return `tp-c${series % seriesColours}`;
}

/** The colour a status has wherever it is drawn. */
export function statusClass(status: ItemStatus): string {
  return `tp-s-${status}`;
}

export function dashClass(series: number): string {
  return `tp-d${series % seriesDashes}`;
}

/** A marker whose shape tells series apart without colour. */
export function marker(series: number, x: number, y: number): Markup {
  const colour = colourClass(series);
  switch (series % 8) {
    case 0:
      return element("circle", { class: `${colour} tp-fill`, cx: x, cy: y, r: 3.5 });
    case 1:
      return element("rect", {
        class: `${colour} tp-fill`,
        x: x - 3,
        y: y - 3,
        width: 6,
        height: 6,
      });
    case 2:
      return shape(
        colour,
        "tp-fill",
        `M${at(x, y - 4.5)}L${at(x + 4.2, y + 3)}L${at(x - 4.2, y + 3)}Z`,
      );
    case 3:
      return shape(
        colour,
        "tp-fill",
        `M${at(x, y - 4.5)}L${at(x + 4.5, y)}L${at(x, y + 4.5)}L${at(x - 4.5, y)}Z`,
      );
    case 4:
      return element("circle", { class: `${colour} tp-open`, cx: x, cy: y, r: 3 });
    case 5:
      return element("rect", {
        class: `${colour} tp-open`,
        x: x - 2.8,
        y: y - 2.8,
        width: 5.6,
        height: 5.6,
      });
    case 6:
      return shape(
        colour,
        "tp-stroke",
        `M${at(x - 3.5, y - 3.5)}L${at(x + 3.5, y + 3.5)}M${at(x + 3.5, y - 3.5)}L${at(x - 3.5, y + 3.5)}`,
      );
    default:
      return shape(
        colour,
        "tp-stroke",
        `M${at(x - 4, y)}L${at(x + 4, y)}M${at(x, y - 4)}L${at(x, y + 4)}`,
      );
  }
}

function shape(colour: string, style: string, d: string): Markup {
  return element("path", { class: `${colour} ${style}`, d });
}

/** A point of a path. */
export function at(x: number, y: number): string {
  return `${formatCoordinate(x)} ${formatCoordinate(y)}`;
}

/** A path through points. */
export function pathThrough(points: readonly { readonly x: number; readonly y: number }[]): string {
  return points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${at(x, y)}`).join("");
}

/** Fills that tell series apart without colour: plain, then hatched in turn. */
export function fillPattern(
  series: number,
  id: string,
  colour: string = colourClass(series),
): Markup {
  const variant = series % 6;
  const size = 8;
  const strokes = [
    "",
    "M0 8L8 0M-2 2L2 -2M6 10L10 6",
    "M0 2H8M0 6H8",
    "M0 0L8 8M-2 6L2 10M6 -2L10 2",
    "M2 0V8M6 0V8",
    "M0 8L8 0M0 0L8 8",
  ][variant];
  return element(
    "pattern",
    { id, patternUnits: "userSpaceOnUse", width: size, height: size, class: colour },
    element("rect", {
      class: variant === 0 ? "tp-fill" : "tp-band",
      x: 0,
      y: 0,
      width: size,
      height: size,
    }),
    variant === 0 ? undefined : element("path", { class: "tp-stroke", d: strokes }),
  );
}

/** The hatch for what is outside, missing or in force: readable on any background. */
export function hatchPattern(id: string): Markup {
  return element(
    "pattern",
    { id, patternUnits: "userSpaceOnUse", width: 6, height: 6 },
    element("path", { class: "tp-hatch", d: "M0 6L6 0M-1.5 1.5L1.5 -1.5M4.5 7.5L7.5 4.5" }),
  );
}

/**
 * Positions near the wanted ones, at least `gap` apart and inside `[min, max]` as far as that is
 * possible at all. Keeps the order of the wanted positions.
 */
export function spread(
  wanted: readonly number[],
  options: { readonly min: number; readonly max: number; readonly gap: number },
): number[] {
  const { min, max } = options;
  const gap = wanted.length > 1 ? Math.min(options.gap, (max - min) / (wanted.length - 1)) : 0;
  const order = wanted
    .map((_, index) => index)
    .toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const placed: number[] = [];
  let lowest = min;
  for (const [rank, index] of order.entries()) {
    const latest = max - gap * (order.length - 1 - rank);
    const position = Math.min(Math.max(wanted[index] ?? min, lowest), latest);
    placed[index] = position;
    lowest = position + gap;
  }
  return placed;
}
