const pieceBytesMin = 32_768;
const pieceBytesMax = 524_288;
/** Pieces of one step of a ring: with one there is nothing to overlap. */
const piecesPerStep = 4;

/** How many elements are sent as one piece: a rank sends on the first while the next comes. */
export function pieceElementsOf(size: {
  /** S. */
  readonly bytes: number;
  readonly worldSize: number;
  /** Bytes of an element. */
  readonly width: number;
}): number {
  const stepBytes = size.bytes / size.worldSize;
  const even = Math.ceil(stepBytes / piecesPerStep / pieceBytesMin) * pieceBytesMin;
  return Math.min(pieceBytesMax, Math.max(pieceBytesMin, even)) / size.width;
}
