import { formatNumber } from "../format.ts";
import type { PlotMark } from "./plot-model.ts";

/** The words beside one line across a plot, or beside some that are too near to have words of their own. */
export interface LineLabel {
  readonly text: string;
  readonly tone: PlotMark["tone"];
  /** Where the lines are, the uppermost first. */
  readonly lines: readonly number[];
}

/** What is written beside lines: what they are called and their values. Equal names of lines that touch are one. */
export function lineLabels(
  across: readonly { readonly mark: PlotMark; readonly y: number }[],
  height: number,
): readonly LineLabel[] {
  const groups: { mark: PlotMark; lines: number[]; values: number[] }[] = [];
  for (const { mark, y } of across.toSorted((a, b) => a.y - b.y)) {
    const near = groups.find(
      (one) =>
        one.mark.label === mark.label &&
        one.mark.tone === mark.tone &&
        y - (one.lines.at(-1) ?? y) < height,
    );
    const group = near ?? { mark, lines: [], values: [] };
    if (near === undefined) groups.push(group);
    group.lines.push(y);
    if (mark.value !== undefined) group.values.push(mark.value);
  }
  return groups.map(({ mark, lines, values }) => ({
    text: `${mark.label} ${valuesText(values)}`.trim(),
    tone: mark.tone,
    lines,
  }));
}

function valuesText(values: readonly number[]): string {
  const rising = values.toSorted((a, b) => a - b);
  const texts = [...new Set(rising.map((value) => formatNumber(value)))];
  return texts.length > 2 ? `${texts[0]} to ${texts.at(-1)}` : texts.join(", ");
}

/** A thin line from words to a line that they do not stand at. */
export interface Leader {
  /** Index of the label. */
  readonly label: number;
  readonly fromY: number;
  readonly toY: number;
}

/** The leaders of labels whose wanted place, just above their uppermost line, was taken. */
export function leadersOf(
  labels: readonly LineLabel[],
  places: readonly number[],
  height: number,
): readonly Leader[] {
  return labels.flatMap(({ lines }, label) => {
    const fromY = places[label] ?? 0;
    const isAtLine = Math.abs(fromY - ((lines[0] ?? 0) - height / 2)) <= height / 8;
    return isAtLine ? [] : lines.map((toY) => ({ label, fromY, toY }));
  });
}

/**
 * Where the words beside lines across a plot stand: each as near to its line as it can, in the order of the
 * lines, and none over another for as long as there is room for all. `at` and the places are middles.
 */
export function placeLabels(
  at: readonly number[],
  room: { readonly top: number; readonly bottom: number; readonly height: number },
): readonly number[] {
  const order = at.map((_, index) => index).toSorted((a, b) => (at[a] ?? 0) - (at[b] ?? 0));
  const { top, bottom } = room;
  const gap = Math.min(room.height, (bottom - top) / Math.max(1, at.length));
  const places = [...at];
  let least = top + gap / 2;
  for (const index of order) {
    const place = Math.max(least, at[index] ?? 0);
    places[index] = place;
    least = place + gap;
  }
  let most = bottom - gap / 2;
  for (const index of order.toReversed()) {
    const place = Math.min(most, places[index] ?? 0);
    places[index] = place;
    most = place - gap;
  }
  return places;
}
