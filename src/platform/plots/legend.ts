import { rowPx } from "./frame.ts";
import { element, fragment, type Markup } from "./markup.ts";
import { fitText, textWidth } from "./text-size.ts";

const swatchPx = 22;
const gapPx = 18;

interface Entry {
  readonly row: number;
  readonly x: number;
  readonly text: string;
}

/** Names with their swatches in rows that fit a width. */
export interface Legend {
  readonly rows: number;
  draw(
    at: { readonly left: number; readonly top: number },
    swatch: (index: number, x: number, y: number) => Markup,
  ): Markup;
}

/** Lays out a legend before the frame is, because the frame makes room for its rows. */
export function layOutLegend(names: readonly string[], widthPx: number): Legend {
  const entries: Entry[] = [];
  let row = 0;
  let x = 0;
  for (const name of names) {
    const text = fitText(name, 12, widthPx - swatchPx);
    const width = swatchPx + textWidth(text, 12);
    if (x > 0 && x + width > widthPx) {
      row++;
      x = 0;
    }
    entries.push({ row, x, text });
    x += width + gapPx;
  }
  return {
    rows: entries.length === 0 ? 0 : (entries.at(-1)?.row ?? 0) + 1,
    draw: (at, swatch) =>
      fragment(
        ...entries.map((entry, index) => {
          const left = at.left + entry.x;
          const top = at.top + entry.row * rowPx;
          return fragment(
            swatch(index, left, top + 3),
            element("text", { x: left + swatchPx, y: top + 13 }, entry.text),
          );
        }),
      ),
  };
}
