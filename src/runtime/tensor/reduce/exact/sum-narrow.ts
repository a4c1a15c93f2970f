import { allocateRaw, bitsOf, decodeInto, type RawArray } from "../../dtype/index.ts";
import { addToLimbs, type LimbLayout } from "../../fixed-point/index.ts";
import { readSource } from "../read-source.ts";
import type { ChunkSource } from "../types.ts";
import { certifiedSpread, isCertified, type NarrowFloat } from "./certificate.ts";
import type { ExactSum, Piece } from "./job.ts";
import { quotientOf, sumLayoutOf } from "./superaccumulator.ts";

/**
 * Exact sums of formats that fit in a single: added up in doubles while the exponents are watched,
 * and in a superaccumulator where these are too far apart. The TypeScript twin of the kernels.
 */
export class NarrowSummer {
  readonly #sum: ExactSum & { readonly dtype: NarrowFloat };
  readonly #raw: RawArray;
  readonly #wide: Float64Array;
  readonly #singles: Float32Array;
  readonly #bits: Uint32Array;
  readonly #total: Float64Array;
  readonly #partial: Float64Array;
  readonly #largest: Uint32Array;
  readonly #smallestLess1: Uint32Array;
  readonly #layout: LimbLayout;

  /** @param pieceMax elements of the largest piece that will be asked for. */
  constructor(sum: ExactSum & { readonly dtype: NarrowFloat }, pieceMax: number) {
    this.#sum = sum;
    this.#raw = allocateRaw(sum.dtype, pieceMax);
    this.#wide = new Float64Array(pieceMax);
    this.#singles = new Float32Array(pieceMax);
    this.#bits = new Uint32Array(this.#singles.buffer);
    this.#total = new Float64Array(pieceMax);
    this.#partial = new Float64Array(pieceMax);
    this.#largest = new Uint32Array(pieceMax);
    this.#smallestLess1 = new Uint32Array(pieceMax);
    this.#layout = sumLayoutOf(sum.dtype);
  }

  /**
   * Writes the sums of a piece to `out` from 0 on, as doubles that are still to be rounded to the
   * dtype, and returns how many of them needed the superaccumulator.
   */
  sum(piece: Piece, out: Float64Array): number {
    this.#addUp(piece);
    const spreadMax = certifiedSpread(this.#sum.dtype, this.#sum.sources.length);
    const { divisor } = this.#sum;
    const open: number[] = [];
    for (let i = 0; i < piece.count; i++) {
      const largest = this.#largest[i] as number;
      if (isCertified(largest, this.#smallestLess1[i] as number, spreadMax)) {
        // A double may be rounded once more here. For a tie t of the format, n t has at most 45 bits
        // and is a double; another sum is at least one of its units away from that, and so its
        // quotient further from t than half a unit: rounding never makes it a tie.
        out[i] = (this.#total[i] as number) / divisor;
      } else {
        open.push(i);
      }
    }
    if (open.length > 0) this.#accumulate(piece, open, out);
    return open.length;
  }

  #addUp(piece: Piece): void {
    const { count } = piece;
    // Minus zero is what adding changes nothing to: only a sum of nothing but -0 stays -0.
    this.#total.fill(-0, 0, count);
    this.#largest.fill(0, 0, count);
    this.#smallestLess1.fill(0xffffffff, 0, count);
    for (const group of this.#sum.groups) {
      this.#partial.fill(-0, 0, count);
      for (const index of group) {
        this.#read(this.#sum.sources[index] as ChunkSource, piece);
        this.#addSource(count);
      }
      for (let i = 0; i < count; i++) {
        this.#total[i] = (this.#total[i] as number) + (this.#partial[i] as number);
      }
    }
  }

  #addSource(count: number): void {
    for (let i = 0; i < count; i++) {
      const magnitude = (this.#bits[i] as number) & 0x7fffffff;
      const less1 = (magnitude - 1) >>> 0;
      if (magnitude > (this.#largest[i] as number)) this.#largest[i] = magnitude;
      if (less1 < (this.#smallestLess1[i] as number)) this.#smallestLess1[i] = less1;
      this.#partial[i] = (this.#partial[i] as number) + (this.#singles[i] as number);
    }
  }

  #accumulate(piece: Piece, open: readonly number[], out: Float64Array): void {
    const { limbs } = this.#layout;
    const total = new Float64Array(open.length * limbs);
    const partial = new Float64Array(open.length * limbs);
    for (const group of this.#sum.groups) {
      partial.fill(0);
      for (const index of group) {
        this.#read(this.#sum.sources[index] as ChunkSource, piece);
        for (let k = 0; k < open.length; k++) {
          const value = this.#singles[open[k] as number] as number;
          addToLimbs(partial, k * limbs, this.#layout, value);
        }
      }
      for (let k = 0; k < total.length; k++) {
        total[k] = (total[k] as number) + (partial[k] as number);
      }
    }
    for (const [k, i] of open.entries()) {
      out[i] = quotientOf(total, k * limbs, this.#layout, this.#sum);
    }
  }

  #read(source: ChunkSource, { start, count }: Piece): void {
    const { dtype } = this.#sum;
    readSource(source, dtype, start, count, this.#raw, 0);
    if (dtype === "f32") {
      this.#bits.set(bitsOf(this.#raw).subarray(0, count));
    } else {
      decodeInto(dtype, this.#raw, 0, count, this.#wide);
      this.#singles.set(this.#wide.subarray(0, count));
    }
  }
}
