import assert from "node:assert/strict";
import { TesseraError } from "../../platform/errors/index.ts";
import { copyElements } from "./copy-elements.ts";
import { digestOf } from "./digest/index.ts";
import {
  allocateRaw,
  bitsOf,
  type DType,
  decodeInto,
  dtypeInfo,
  encodeInto,
  encodeSaturatedInto,
  parseDType,
  type RawArray,
  rawOver,
  storesDType,
} from "./dtype/index.ts";
import { assertFits } from "./fits.ts";
import { type NestedNumbers, nest } from "./nested-numbers.ts";
import { contiguousStrides, formatShape, shapeError, sizeOf } from "./shape.ts";
import {
  expandView,
  isContiguousView,
  permuteView,
  placeOf,
  type Range,
  reshapeView,
  resolveDim,
  sliceView,
  type View,
} from "./view.ts";

/** How elements lie in storage that is already there. */
export interface OverOptions {
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** In elements, default row-major. May be 0 or negative. */
  readonly strides?: readonly number[];
  /** The place of the first element, default 0. */
  readonly offset?: number;
}

export interface ConvertOptions {
  /** Overflow becomes the largest finite value instead of Inf (NaN in e4m3). Default false. */
  readonly saturate?: boolean;
}

// A conversion goes through doubles in pieces of this many elements.
const pieceElements = 16 * 1024;

/**
 * Numbers of one dtype in a shape of any number of dimensions. A tensor is a value: nothing changes
 * it once it is made. `reshape`, `permute`, `transpose`, `slice` and `expand` give views of the same
 * storage. Negative dimensions and indices count from the end.
 */
export class Tensor {
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** How far apart in storage neighbours along each dimension are, in elements. */
  readonly strides: readonly number[];
  /** The place in storage of the first element. */
  readonly offset: number;
  /** How many elements there are. */
  readonly size: number;
  /** The storage, perhaps shared with other tensors: read only. */
  readonly raw: RawArray;

  private constructor(raw: RawArray, dtype: DType, view: View) {
    this.raw = raw;
    this.dtype = dtype;
    this.shape = Object.freeze([...view.shape]);
    this.strides = Object.freeze([...view.strides]);
    this.offset = view.offset;
    this.size = sizeOf(view.shape, "tensor");
  }

  /**
   * A tensor over storage that the caller hands over and will not change any more. Throws E_DTYPE
   * when the array is not what the dtype is stored in, E_SHAPE when elements would lie outside it.
   */
  static over(raw: RawArray, options: OverOptions): Tensor {
    const { shape, offset = 0 } = options;
    const dtype = parseDType(options.dtype);
    if (!storesDType(raw, dtype)) {
      throw new TesseraError("E_DTYPE", {
        operation: "tensor",
        problem: `a ${raw.constructor.name} does not hold ${dtype}`,
      });
    }
    sizeOf(shape, "tensor");
    const view = { shape, strides: options.strides ?? contiguousStrides(shape), offset };
    assertWithin(view, raw.length);
    return new Tensor(raw, dtype, view);
  }

  /** True when the elements lie in row-major order without gaps. */
  get isContiguous(): boolean {
    return isContiguousView(this);
  }

  /** This tensor, or a copy of it whose elements lie in row-major order. */
  contiguous(): Tensor {
    const { dtype, shape } = this;
    return this.isContiguous ? this : Tensor.over(this.toRaw(), { dtype, shape });
  }

  /**
   * The elements in row-major order, exactly `size` of them. Shares storage where they lie so
   * already: read only.
   */
  toRaw(): RawArray {
    if (this.isContiguous) return this.raw.subarray(this.offset, this.offset + this.size);
    const raw = allocateRaw(this.dtype, this.size);
    this.copyTo(raw, { start: 0, count: this.size });
    return raw;
  }

  /**
   * Copies `count` elements in row-major order, from element `start` on, into storage of the same
   * dtype. Keeps every bit.
   */
  copyTo(
    out: RawArray,
    stretch: { readonly start: number; readonly count: number; readonly outStart?: number },
  ): void {
    const { start, count, outStart = 0 } = stretch;
    assert(storesDType(out, this.dtype), "elements are copied into storage of their dtype");
    if (start < 0 || start + count > this.size || outStart + count > out.length) {
      throw shapeError("copyTo", `${count} elements from ${start} on do not fit`);
    }
    copyElements({
      view: this,
      from: bitsOf(this.raw),
      start,
      count,
      to: bitsOf(out),
      toStart: outStart,
      width: this.dtype === "f64" ? 2 : 1,
    });
  }

  /** The element at this index. */
  at(...index: readonly number[]): number {
    const value = new Float64Array(1);
    decodeInto(this.dtype, this.raw, placeOf(this, index), 1, value);
    return value[0] as number;
  }

  /** The only element. */
  item(): number {
    if (this.size !== 1) {
      throw shapeError("item", `the shape ${formatShape(this.shape)} has ${this.size} elements`);
    }
    return this.at(...this.shape.map(() => 0));
  }

  /** All elements in row-major order, exactly. */
  toNumbers(): Float64Array {
    const values = new Float64Array(this.size);
    decodeInto(this.dtype, this.toRaw(), 0, this.size, values);
    return values;
  }

  /** All elements as nested lists; of a tensor without dimensions, the number. */
  toArray(): NestedNumbers {
    return nest(this.toNumbers(), this.shape);
  }

  /**
   * The same elements in row-major order in another shape; one dimension may be -1, whatever is
   * left. A view where the strides allow it, else a copy.
   */
  reshape(shape: readonly number[]): Tensor {
    const resolved = resolveReshape(this, shape);
    const view = reshapeView(this, resolved);
    return view === undefined ? this.contiguous().reshape(resolved) : this.#view(view);
  }

  /** A view with the dimensions in this order. */
  permute(order: readonly number[]): Tensor {
    return this.#view(permuteView(this, order));
  }

  /** A view with two dimensions swapped, by default the last two. */
  transpose(one = -2, other = -1): Tensor {
    const a = resolveDim("transpose", one, this.shape.length);
    const b = resolveDim("transpose", other, this.shape.length);
    const order = this.shape.map((_, dim) => (dim === a ? b : dim === b ? a : dim));
    return this.permute(order);
  }

  /**
   * A view of some indices of the leading dimensions: a range, `null` for all of them, or a number,
   * which picks one index and drops the dimension.
   */
  slice(ranges: readonly (Range | number | null)[]): Tensor {
    return this.#view(sliceView(this, ranges));
  }

  /** A view that repeats dimensions of length 1, and has new ones in front. */
  expand(shape: readonly number[]): Tensor {
    return this.#view(expandView(this, shape));
  }

  /**
   * The same values in another dtype, each rounded once to nearest, ties to even. Throws E_DTYPE
   * for a value outside the range of an integer dtype, unless it may saturate.
   */
  to(target: DType, { saturate = false }: ConvertOptions = {}): Tensor {
    const dtype = parseDType(target);
    if (dtype === this.dtype) return this;
    const from = this.toRaw();
    const out = allocateRaw(dtype, this.size);
    const piece = new Float64Array(Math.min(this.size, pieceElements));
    const encode = saturate ? encodeSaturatedInto : encodeInto;
    for (let start = 0; start < this.size; start += pieceElements) {
      const count = Math.min(pieceElements, this.size - start);
      decodeInto(this.dtype, from, start, count, piece);
      if (!saturate) assertFits("to", dtype, piece.subarray(0, count));
      encode(dtype, piece, 0, count, out, start);
    }
    return Tensor.over(out, { dtype, shape: this.shape });
  }

  /** `sha256:` and 64 hex digits over dtype, shape and every bit; see `digestOf`. */
  digest(): string {
    const { dtype, shape } = this;
    const { bytes } = dtypeInfo(dtype);
    return digestOf({
      dtype,
      shape,
      read: (start, count, into) => {
        const { buffer, byteOffset } = into;
        this.copyTo(rawOver(dtype, { buffer, byteOffset, count: into.length / bytes }), {
          start,
          count,
        });
      },
    });
  }

  /** `f32[2, 3]`. */
  toString(): string {
    return `${this.dtype}${formatShape(this.shape)}`;
  }

  #view(view: View): Tensor {
    return new Tensor(this.raw, this.dtype, view);
  }
}

function resolveReshape({ shape, size }: Tensor, wanted: readonly number[]): readonly number[] {
  const unknown = wanted.indexOf(-1);
  const known = wanted.filter((_, dim) => dim !== unknown);
  const knownSize = sizeOf(known, "reshape");
  const rest = unknown === -1 ? 1 : size / knownSize;
  if (knownSize * rest !== size || !Number.isInteger(rest)) {
    throw shapeError(
      "reshape",
      `${formatShape(shape)} has ${size} elements, which do not make ${formatShape(wanted)}`,
    );
  }
  return wanted.map((length, dim) => (dim === unknown ? rest : length));
}

function assertWithin({ shape, strides, offset }: View, length: number): void {
  if (strides.length !== shape.length || ![offset, ...strides].every(Number.isSafeInteger)) {
    throw shapeError(
      "tensor",
      `${formatShape(strides)} from ${offset} on are no strides for ${formatShape(shape)}`,
    );
  }
  if (shape.includes(0)) return;
  let lowest = offset;
  let highest = offset;
  for (const [dim, stride] of strides.entries()) {
    const reach = ((shape[dim] as number) - 1) * stride;
    if (reach < 0) lowest += reach;
    else highest += reach;
  }
  if (lowest < 0 || highest >= length) {
    throw shapeError(
      "tensor",
      `the shape ${formatShape(shape)} needs elements ${lowest} to ${highest} of a storage of ${length}`,
    );
  }
}
