/** A curve that runs from `fromBytes` to the next piece. Its time never falls with bytes. */
export interface Piece {
  readonly fromBytes: number;
  timeUs(bytes: number): number;
}

/**
 * The curve made of pieces, kept monotone. Where the library changes to a protocol that is faster at
 * once, real times fall with bytes; a model that did so would be taken for an error. There the curve
 * runs level instead, half-way (in ratio) between the last time before and the first after.
 */
export function joinPieces(pieces: readonly Piece[]): (bytes: number) => number {
  const levels = pieces.map((piece, index) => {
    const previous = pieces[index - 1];
    if (previous === undefined) return undefined;
    const beforeUs = previous.timeUs(piece.fromBytes);
    const afterUs = piece.timeUs(piece.fromBytes);
    return beforeUs > afterUs ? Math.sqrt(beforeUs * afterUs) : undefined;
  });
  return (bytes) => {
    let floorUs = 0;
    let ceilingUs = Number.POSITIVE_INFINITY;
    let current: Piece | undefined;
    for (const [index, piece] of pieces.entries()) {
      const isReached = bytes >= piece.fromBytes;
      if (isReached) current = piece;
      const levelUs = levels[index];
      if (levelUs === undefined) continue;
      if (isReached) floorUs = Math.max(floorUs, levelUs);
      else ceilingUs = Math.min(ceilingUs, levelUs);
    }
    return Math.max(floorUs, Math.min(ceilingUs, current?.timeUs(bytes) ?? 0));
  };
}
