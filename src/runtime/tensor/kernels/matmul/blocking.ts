/**
 * How a product is cut up, in elements. The tile is what fits in registers together with its
 * operands; taller, wider and unrolled ones were measured and spill. The panels of one block of
 * depths (8 KiB of b, 256 KiB of a) fit the first and the second cache.
 */
export const blocking = {
  tileRows: 4,
  tileColumns: 8,
  /** At most so many rows of results in one job. */
  blockRows: 256,
  /** At most so many columns of results in one job; also the row stride of its areas for b and c. */
  blockColumns: 1024,
  /** So many products at a time before the sums are put down; also the row stride of the area for a. */
  blockDepth: 256,
} as const;

const aBytes = 4 * blocking.blockRows * blocking.blockDepth;
const bBytes = 4 * blocking.blockDepth * blocking.blockColumns;
const cBytes = 4 * blocking.blockRows * blocking.blockColumns;

/** Where a job keeps what, in the thread's memory. */
export const areas = {
  a: 0,
  /** Rows of b as they come. */
  rows: aBytes,
  /** The same in panels. */
  panels: aBytes + bBytes,
  c: aBytes + 2 * bBytes,
  /** The address after the last area. */
  end: aBytes + 2 * bBytes + cBytes,
} as const;
