// Widths in em of a common sans-serif, good to about a tenth. An SVG is drawn without knowing the
// reader's fonts, so layout errs on the wide side.
const narrow = new Set("iljtfrI.,:;'|!()[]{} ");
const wide = new Set("mwMW@%&—…");

/** About how wide a text is when drawn. */
export function textWidth(text: string, sizePx: number): number {
  let em = 0;
  for (const character of text) em += characterWidth(character);
  return em * sizePx;
}

/** The width of the widest of many texts; 0 of none. */
export function widestText(texts: Iterable<string>, sizePx: number): number {
  let widest = 0;
  for (const text of texts) widest = Math.max(widest, textWidth(text, sizePx));
  return widest;
}

/** The text, cut with an ellipsis where it would be wider than `widthPx`. */
export function fitText(text: string, sizePx: number, widthPx: number): string {
  if (textWidth(text, sizePx) <= widthPx) return text;
  const room = widthPx - textWidth("…", sizePx);
  let kept = "";
  let used = 0;
  for (const character of text) {
    used += characterWidth(character) * sizePx;
    if (used > room) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** The text broken at spaces into at most `linesMax` lines that fit; the last may be cut. */
export function wrapText(
  text: string,
  options: { readonly sizePx: number; readonly widthPx: number; readonly linesMax: number },
): string[] {
  const { sizePx, widthPx, linesMax } = options;
  const lines: string[] = [];
  let rest = text.trim();
  while (rest !== "" && lines.length < linesMax - 1 && textWidth(rest, sizePx) > widthPx) {
    const cut = lastFittingSpace(rest, sizePx, widthPx);
    if (cut <= 0) break;
    lines.push(rest.slice(0, cut));
    rest = rest.slice(cut).trim();
  }
  return rest === "" ? lines : [...lines, fitText(rest, sizePx, widthPx)];
}

function lastFittingSpace(text: string, sizePx: number, widthPx: number): number {
  let cut = -1;
  for (let at = text.indexOf(" "); at >= 0; at = text.indexOf(" ", at + 1)) {
    if (textWidth(text.slice(0, at), sizePx) > widthPx) break;
    cut = at;
  }
  return cut;
}

function characterWidth(character: string): number {
  if (narrow.has(character)) return 0.37;
  if (wide.has(character)) return 1;
  const code = character.codePointAt(0) ?? 0;
  if (code > 0x2e80) return 1.05;
  return character >= "A" && character <= "Z" ? 0.72 : 0.61;
}
