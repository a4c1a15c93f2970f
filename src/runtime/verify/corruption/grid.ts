/** A matrix that corruption happens to: values in f32, of numbers in this format. */
export interface Grid {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float32Array;
  /** bf16 values lie in f32 too; bits are counted in their own format. */
  readonly format: "f32" | "bf16";
  /** The factors it is the product of, for errors that depend on what is multiplied. */
  readonly factors?: {
    readonly a: Float32Array;
    readonly b: Float32Array;
    readonly inner: number;
  };
}

/** One element that is not what it was. */
export interface ElementChange {
  /** In row-major order. */
  readonly index: number;
  readonly was: number;
  readonly is: number;
}

export const formatBits = { f32: 32, bf16: 16 } as const;

const cell = new DataView(new ArrayBuffer(4));

/** The number with bits of its format changed, counted from the lowest. */
export function withBits(value: number, bits: readonly number[], format: Grid["format"]): number {
  cell.setFloat32(0, value);
  let word = cell.getUint32(0);
  for (const bit of bits) word ^= 1 << (format === "bf16" ? bit + 16 : bit);
  cell.setUint32(0, word >>> 0);
  return cell.getFloat32(0);
}

/** The nearest number of the format, ties to even. */
export function nearest(value: number, format: Grid["format"]): number {
  if (format === "f32" || !Number.isFinite(value)) return Math.fround(value);
  cell.setFloat32(0, value);
  const word = cell.getUint32(0);
  cell.setUint32(0, ((word + 0x7fff + ((word >>> 16) & 1)) & 0xffff0000) >>> 0);
  return cell.getFloat32(0);
}

/** The nearest numbers of bf16 to all of these, in f32. */
export function nearestBf16(values: Float32Array): Float32Array {
  const words = Uint32Array.from(new Uint32Array(values.buffer, values.byteOffset, values.length));
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as number;
    // NaN and infinities are what they are.
    if ((word & 0x7f800000) === 0x7f800000) continue;
    words[at] = (word + 0x7fff + ((word >>> 16) & 1)) & 0xffff0000;
  }
  return new Float32Array(words.buffer);
}

/** A change of an element to another value, rounded to the format; none when it is the same. */
export function changeTo(grid: Grid, index: number, value: number): readonly ElementChange[] {
  const was = grid.values[index] as number;
  const is = nearest(value, grid.format);
  return Object.is(was, is) ? [] : [{ index, was, is }];
}

/** Makes the changes in place. */
export function applyChanges(values: Float32Array, changes: readonly ElementChange[]): void {
  for (const { index, is } of changes) values[index] = is;
}

/** Undoes them. */
export function undoChanges(values: Float32Array, changes: readonly ElementChange[]): void {
  for (const { index, was } of changes) values[index] = was;
}
