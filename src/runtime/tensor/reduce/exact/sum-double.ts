import { addToLimbs, type LimbLayout } from "../../fixed-point/index.ts";
import { readSource } from "../read-source.ts";
import type { ChunkSource } from "../types.ts";
import type { ExactSum, Piece } from "./job.ts";
import { quotientOf, sumLayoutOf } from "./superaccumulator.ts";

/**
 * Exact sums of f64: added up with the rounding error of every addition kept beside the sum. While
 * no error is lost among the errors either, sum and errors are the exact result; where one is, and
 * for Inf and NaN, a superaccumulator takes over.
 */
export class DoubleSummer {
  readonly #sum: ExactSum;
  readonly #source: Float64Array;
  readonly #totals: Running;
  readonly #partials: Running;
  readonly #layout: LimbLayout = sumLayoutOf("f64");

  /** @param pieceMax elements of the largest piece that will be asked for. */
  constructor(sum: ExactSum, pieceMax: number) {
    this.#sum = sum;
    this.#source = new Float64Array(pieceMax);
    this.#totals = new Running(pieceMax);
    this.#partials = new Running(pieceMax);
  }

  /** As `NarrowSummer.sum`; these doubles are the results. */
  sum(piece: Piece, out: Float64Array): number {
    const totals = this.#totals;
    totals.clear(piece.count);
    for (const group of this.#sum.groups) {
      this.#partials.clear(piece.count);
      for (const index of group) {
        this.#read(index, piece);
        for (let i = 0; i < piece.count; i++) this.#partials.add(i, this.#source[i] as number);
      }
      for (let i = 0; i < piece.count; i++) totals.merge(i, this.#partials);
    }
    const open: number[] = [];
    for (let i = 0; i < piece.count; i++) {
      const value = totals.result(i, this.#sum.divisor);
      if (value === undefined) open.push(i);
      else out[i] = value;
    }
    if (open.length > 0) this.accumulate(piece, open, out);
    return open.length;
  }

  /** Writes the sums of the open elements of a piece to their places in `out`. */
  accumulate(piece: Piece, open: readonly number[], out: Float64Array): void {
    const { limbs } = this.#layout;
    const total = new Float64Array(open.length * limbs);
    const partial = new Float64Array(open.length * limbs);
    // Inf and NaN decide by themselves: what is finite beside them does not matter.
    const special = new Float64Array(open.length);
    for (const group of this.#sum.groups) {
      partial.fill(0);
      for (const index of group) {
        this.#read(index, piece);
        for (let k = 0; k < open.length; k++) {
          const value = this.#source[open[k] as number] as number;
          if (Number.isFinite(value)) addToLimbs(partial, k * limbs, this.#layout, value);
          else special[k] = (special[k] as number) + value;
        }
      }
      for (let k = 0; k < total.length; k++) {
        total[k] = (total[k] as number) + (partial[k] as number);
      }
    }
    for (const [k, i] of open.entries()) {
      const odd = special[k] as number;
      out[i] = odd === 0 ? quotientOf(total, k * limbs, this.#layout, this.#sum) : odd;
    }
  }

  #read(index: number, { start, count }: Piece): void {
    const source = this.#sum.sources[index] as ChunkSource;
    readSource(source, "f64", start, count, this.#source, 0);
  }
}

/** Sums with their errors, one of each per element. */
class Running {
  readonly #sums: Float64Array;
  readonly #errors: Float64Array;
  readonly #lost: Uint8Array;

  constructor(count: number) {
    this.#sums = new Float64Array(count);
    this.#errors = new Float64Array(count);
    this.#lost = new Uint8Array(count);
  }

  clear(count: number): void {
    this.#sums.fill(-0, 0, count);
    this.#errors.fill(0, 0, count);
    this.#lost.fill(0, 0, count);
  }

  add(i: number, value: number): void {
    const before = this.#sums[i] as number;
    const after = before + value;
    this.#sums[i] = after;
    this.#keep(i, errorOfSum(before, value, after));
  }

  merge(i: number, other: Running): void {
    this.add(i, other.#sums[i] as number);
    this.#keep(i, other.#errors[i] as number);
    if (other.#lost[i] !== 0) this.#lost[i] = 1;
  }

  /** The rounded sum or quotient; undefined where it is not known exactly. */
  result(i: number, divisor: number): number | undefined {
    if (this.#lost[i] !== 0) return undefined;
    const sum = this.#sums[i] as number;
    const error = this.#errors[i] as number;
    // Adding an error of 0 would turn -0 into 0.
    if (error === 0) return sum / divisor;
    return divisor === 1 ? sum + error : undefined;
  }

  #keep(i: number, error: number): void {
    const before = this.#errors[i] as number;
    const after = before + error;
    this.#errors[i] = after;
    // NaN, after Inf or an overflow, is not 0 either.
    if (errorOfSum(before, error, after) !== 0) this.#lost[i] = 1;
  }
}

/** What `a + b = sum` lost by rounding, exactly (Knuth's two-sum), unless something overflowed. */
function errorOfSum(a: number, b: number, sum: number): number {
  const fromB = sum - a;
  return a - (sum - fromB) + (b - fromB);
}
