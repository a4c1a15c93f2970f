/** Rows of bytes within an array: where the first begins, and how far it is to the next. */
export interface RowRange {
  readonly bytes: Buffer;
  readonly at: number;
  readonly stride: number;
}

export type CopyRows = typeof copyRows;

/**
 * Copies rows of `sizeBytes` each.
 *
 * Its text is also part of a thread's source, so it must stand alone: no imports but types, no
 * names from outside.
 *
 * @throws RangeError when a row reaches beyond one of the arrays.
 */
export function copyRows(o: {
  readonly from: RowRange;
  readonly to: RowRange;
  readonly rows: number;
  readonly sizeBytes: number;
}): void {
  const { from, to } = o;
  // Rows without gaps are one piece, which is several times faster than its parts.
  const isOnePiece = from.stride === o.sizeBytes && to.stride === o.sizeBytes;
  const rows = isOnePiece ? Math.min(o.rows, 1) : o.rows;
  const sizeBytes = isOnePiece ? o.rows * o.sizeBytes : o.sizeBytes;
  // A view would silently end where its array ends, and count negative starts from there.
  const fits = (range: RowRange, at: number) => at >= 0 && at + sizeBytes <= range.bytes.length;
  for (let row = 0; row < rows; row++) {
    const source = from.at + row * from.stride;
    const target = to.at + row * to.stride;
    if (!fits(from, source) || !fits(to, target)) {
      throw new RangeError(`a copy of ${sizeBytes} bytes goes beyond its buffer or the memory`);
    }
    const piece = from.bytes.subarray(source, source + sizeBytes);
    // From and to shared memory, `set` moves word by word; filling with as much is a plain copy, a
    // third faster, but takes longer to begin.
    if (sizeBytes < 16_384) to.bytes.set(piece, target);
    else to.bytes.fill(piece, target, target + sizeBytes);
  }
}
