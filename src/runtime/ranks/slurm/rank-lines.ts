/** Marks a line that is meant for the launcher; all others are a rank's own output. */
const mark = "@tessera-rank";
/** srun cuts lines at 1024 bytes and labels each part; shorter ones pass whole. */
const pieceChars = 900;
const piecesMax = 20_000;
const shape = new RegExp(`^${mark} (\\d{1,5})/(\\d{1,5}) (.*)$`);

/** A message of JSON as lines of a rank's standard output, in plain ASCII. @throws Error when over 18 MB */
export function toRankLines(message: unknown): readonly string[] {
  const text = JSON.stringify(message).replaceAll(/[^\x20-\x7e]/g, escaped);
  const of = Math.ceil(text.length / pieceChars);
  if (of > piecesMax) throw new Error(`a message of ${text.length} characters is too long`);
  return Array.from({ length: of }, (_, at) => {
    return `${mark} ${at + 1}/${of} ${text.slice(at * pieceChars, (at + 1) * pieceChars)}`;
  });
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** What a line was: somebody else's, a piece of a message, its last piece, or a piece that does not fit. */
export type ReadLine =
  | { readonly is: "foreign" | "piece" | "broken" }
  | { readonly is: "message"; readonly message: unknown };

/** Puts the lines of one rank together again. */
export class RankLineReader {
  readonly #pieces: string[] = [];

  push(line: string): ReadLine {
    if (!line.startsWith(`${mark} `)) return { is: "foreign" };
    const [, at, of, piece = ""] = shape.exec(line) ?? [];
    const fits = Number(at) === this.#pieces.length + 1 && Number(of) <= piecesMax;
    if (!fits || Number(at) > Number(of)) {
      this.#pieces.length = 0;
      return { is: "broken" };
    }
    this.#pieces.push(piece);
    if (Number(at) < Number(of)) return { is: "piece" };
    const text = this.#pieces.splice(0).join("");
    try {
      return { is: "message", message: JSON.parse(text) };
    } catch {
      return { is: "broken" };
    }
  }
}
