import type { RunLogView } from "../../../../src/control/api/runs.ts";

/** What is known of a log so far. */
export interface LogState {
  /** Whether the server has told anything of it yet. */
  readonly isKnown: boolean;
  readonly text: string;
  /** Where to go on asking. */
  readonly next: number;
  readonly sizeBytes: number;
  /** The beginning was let go to keep the page light. */
  readonly isCut: boolean;
  readonly isOver: boolean;
}

export const emptyLog: LogState = {
  isKnown: false,
  text: "",
  next: 0,
  sizeBytes: 0,
  isCut: false,
  isOver: false,
};

/** So much text is kept; what came first goes first, line by line. */
export const keptCharsMax = 2_000_000;

/** The log with one more piece. A piece that does not follow what is known is passed over. */
export function withPiece(log: LogState, piece: RunLogView): LogState {
  if (piece.offset !== log.next) return log;
  const whole = log.text + piece.text;
  const isLong = whole.length > keptCharsMax;
  const from = isLong ? whole.indexOf("\n", whole.length - keptCharsMax) + 1 : 0;
  return {
    isKnown: true,
    text: whole.slice(from),
    next: piece.next,
    sizeBytes: piece.sizeBytes,
    isCut: log.isCut || isLong,
    isOver: piece.isOver,
  };
}

/** How a log stands, in a word or two: `live` only while what is written comes. */
export function stateWords(
  log: LogState,
  now: { readonly isPaused: boolean; readonly isRefused: boolean; readonly isTroubled: boolean },
): string {
  if (log.isOver) return "complete";
  if (now.isRefused) return "not to be had";
  if (now.isPaused) return "paused";
  if (now.isTroubled) return "interrupted";
  return log.isKnown ? "live" : "loading";
}

/** More is there than was asked for at once. */
export function hasMore(log: LogState): boolean {
  return log.next < log.sizeBytes;
}

export interface LogLine {
  /** Counted from the first line that is kept. */
  readonly number: number;
  readonly text: string;
}

const shownMax = 4000;

/** The newest lines, or the newest of those that contain the words; terminal colours are left out. */
export function linesOf(
  text: string,
  search: string,
): { lines: readonly LogLine[]; total: number } {
  const plain = text.replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, "").replace(/\n$/, "");
  const all =
    plain === "" ? [] : plain.split("\n").map((line, at) => ({ number: at + 1, text: line }));
  const wanted = search.trim().toLowerCase();
  const found =
    wanted === "" ? all : all.filter((line) => line.text.toLowerCase().includes(wanted));
  return { lines: found.slice(-shownMax), total: found.length };
}

/** A line in parts, those that were searched for marked. */
export function partsOf(
  text: string,
  search: string,
): readonly { readonly text: string; readonly isFound: boolean }[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === "") return [{ text, isFound: false }];
  const low = text.toLowerCase();
  const parts: { text: string; isFound: boolean }[] = [];
  let from = 0;
  for (let at = low.indexOf(wanted); at >= 0; at = low.indexOf(wanted, from)) {
    if (at > from) parts.push({ text: text.slice(from, at), isFound: false });
    parts.push({ text: text.slice(at, at + wanted.length), isFound: true });
    from = at + wanted.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isFound: false });
  return parts;
}
