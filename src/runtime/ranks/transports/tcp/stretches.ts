import type { Arrival, Stretch } from "./schedule.ts";

/** Some elements of a buffer. */
export interface Chunk {
  readonly at: number;
  readonly count: number;
}

/** Cuts a chunk into pieces of this size, the last as long as what is left. */
function pieces({ at, count }: Chunk, size: number): readonly Chunk[] {
  const cuts: Chunk[] = [];
  for (let start = 0; start < count; start += size) {
    cuts.push({ at: at + start, count: Math.min(size, count - start) });
  }
  return cuts;
}

/** A chunk of what this rank brings, as pieces to send. */
export function sendsOf(chunk: Chunk, pieceElements: number): readonly Stretch[] {
  return pieces(chunk, pieceElements).map((piece) => ({ buffer: "in", ...piece }));
}

/** A chunk of what this rank gets, as pieces to receive. */
export function arrivalsOf(
  chunk: Chunk,
  how: Pick<Arrival, "how" | "forward">,
  pieceElements: number,
): readonly Arrival[] {
  return pieces(chunk, pieceElements).map((piece) => ({ ...piece, ...how }));
}

/** One connection with these pieces; none at all without pieces. */
export function lane<Item>(
  rank: number,
  items: readonly Item[],
): ReadonlyMap<number, readonly Item[]> {
  return items.length === 0 ? new Map() : new Map([[rank, items]]);
}
