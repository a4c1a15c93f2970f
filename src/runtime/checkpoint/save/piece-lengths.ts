import { refused } from "./snapshot.ts";

const mib = 2 ** 20;
const pieceBytesDefault = 4 * mib;
const pieceBytesMin = 64;
/** A piece is held in memory whole. */
const pieceBytesMax = 64 * mib;
const piecesWanted = 65_536;

/**
 * How long a piece may be: what was asked for, or so long that there are not too many of them.
 *
 * @throws E_CHECKPOINT_STATE
 */
export function pieceLimit(about: {
  readonly tag: string;
  readonly dataBytes: number;
  readonly pieceBytes?: number | undefined;
}): number {
  const { tag, dataBytes, pieceBytes } = about;
  if (pieceBytes === undefined) {
    const enough = Math.ceil(dataBytes / piecesWanted / mib) * mib;
    return Math.min(pieceBytesMax, Math.max(pieceBytesDefault, enough));
  }
  const isGood =
    Number.isInteger(pieceBytes) && pieceBytes >= pieceBytesMin && pieceBytes <= pieceBytesMax;
  if (isGood) return pieceBytes;
  throw refused(tag, `pieceBytes is ${pieceBytes}, not ${pieceBytesMin} to ${pieceBytesMax}`);
}

/** The lengths of a chunk's pieces: whole rows where a row fits, else whole elements. */
export function pieceLengths(chunk: {
  readonly bytes: number;
  readonly rowBytes: number;
  readonly width: number;
  readonly limit: number;
}): readonly number[] {
  const { bytes, rowBytes, width, limit } = chunk;
  const unit = rowBytes <= limit ? rowBytes : width;
  const each = Math.floor(limit / unit) * unit;
  const count = Math.ceil(bytes / each);
  return Array.from({ length: count }, (_, at) => Math.min(each, bytes - at * each));
}
