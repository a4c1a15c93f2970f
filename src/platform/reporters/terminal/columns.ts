import { printableText } from "../../plots/markup.ts";
import { withoutEscapes } from "../text.ts";

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
const wideCharacter =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const combiningOnly = /^[\p{Mark}\p{Format}\u200b]+$/u;

/** Text that is safe to print: no escape sequences, no control characters, one line. */
export function oneLine(text: string): string {
  return printableText(withoutEscapes(text)).replace(/\s+/g, " ").trim();
}

/** How many columns a text takes in a terminal. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const { segment } of segmenter.segment(text)) columns += columnsOfGrapheme(segment);
  return columns;
}

/** The text, cut with an ellipsis to at most `width` columns. */
export function truncate(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  if (width <= 0) return "";
  let kept = "";
  let columns = 0;
  for (const { segment } of segmenter.segment(text)) {
    columns += columnsOfGrapheme(segment);
    if (columns > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** The text filled with spaces to `width` columns, or cut to them. */
export function pad(text: string, width: number): string {
  const fitted = truncate(text, width);
  return fitted + " ".repeat(Math.max(0, width - columnsOf(fitted)));
}

/** The text in lines of at most `width` columns, broken at spaces where there are any. */
export function wrap(text: string, width: number): string[] {
  const room = Math.max(width, 1);
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((one) => pieces(one, room))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && columnsOf(longer) > room) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  if (line !== "" || lines.length === 0) lines.push(line);
  return lines;
}

/** A word longer than a line, cut into lines. */
function pieces(word: string, width: number): string[] {
  if (columnsOf(word) <= width) return [word];
  const all: string[] = [];
  let piece = "";
  let columns = 0;
  for (const { segment } of segmenter.segment(word)) {
    const next = columnsOfGrapheme(segment);
    if (columns + next > width && piece !== "") {
      all.push(piece);
      piece = "";
      columns = 0;
    }
    piece += segment;
    columns += next;
  }
  return [...all, piece];
}

function columnsOfGrapheme(grapheme: string): number {
  if (combiningOnly.test(grapheme)) return 0;
  return wideCharacter.test(grapheme) ? 2 : 1;
}
