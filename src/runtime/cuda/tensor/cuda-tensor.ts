import assert from "node:assert/strict";
import { digestOf } from "../../tensor/digest/index.ts";
import { allocateRaw, bytesOf } from "../../tensor/dtype/index.ts";
import { contiguousStrides, formatShape, shapeError, sizeOf } from "../../tensor/shape.ts";
import { Tensor } from "../../tensor/tensor.ts";
import { expandView, permuteView, resolveDim, type View } from "../../tensor/view.ts";
import type { CudaDevice, DeviceBuffer } from "../device/device.ts";
import { convertInto } from "./convert.ts";
import type { CudaArray, OnStream } from "./cuda-array.ts";
import { type CudaDType, cudaDtypeBytes } from "./cuda-dtype.ts";
import { copyView, transposeInto } from "./permute.ts";

/** What a new tensor on a GPU is like. */
export interface CudaTensorSpec {
  readonly dtype: CudaDType;
  readonly shape: readonly number[];
  /** For the message when memory runs out. */
  readonly purpose?: string;
}

/** A buffer and how many tensors stand on it. */
interface Storage {
  readonly buffer: DeviceBuffer;
  holders: number;
}

// The grid of the tiled transpose has this many blocks along y and z at most.
const gridMax = 65_535;

/**
 * Numbers of one dtype in a shape, in row-major order in the memory of a GPU. A value like `Tensor`:
 * nothing changes it once it is made, except where it is given as `out`. Work on it is put on a
 * stream and done later; `toHost`, `digest` and `item` wait for it. Memory is given back by `free`,
 * by `using`, or with the device; the garbage collector does not see it.
 */
export class CudaTensor implements CudaArray, Disposable {
  readonly device: CudaDevice;
  readonly dtype: CudaDType;
  readonly shape: readonly number[];
  readonly size: number;
  readonly #storage: Storage;
  #freed = false;

  private constructor(device: CudaDevice, { dtype, shape }: CudaTensorSpec, storage: Storage) {
    this.device = device;
    this.dtype = dtype;
    this.shape = Object.freeze([...shape]);
    this.size = sizeOf(shape, "tensor");
    this.#storage = storage;
    storage.holders++;
  }

  /**
   * A tensor whose elements are not set yet.
   *
   * @throws E_CUDA when memory runs out, E_SHAPE.
   */
  static allocate(device: CudaDevice, spec: CudaTensorSpec): CudaTensor {
    const { dtype, shape, purpose = `${dtype}${formatShape(shape)}` } = spec;
    const bytes = sizeOf(shape, "tensor") * cudaDtypeBytes(dtype);
    // An empty tensor has an address too.
    const buffer = device.memory.allocate(Math.max(bytes, 1), { purpose });
    return new CudaTensor(device, spec, { buffer, holders: 0 });
  }

  /** A tensor over a buffer that the caller hands over; it is freed with the tensor. */
  static over(device: CudaDevice, buffer: DeviceBuffer, spec: CudaTensorSpec): CudaTensor {
    const bytes = sizeOf(spec.shape, "tensor") * cudaDtypeBytes(spec.dtype);
    assert(bytes <= buffer.bytes, "the elements fit the buffer");
    return new CudaTensor(device, spec, { buffer, holders: 0 });
  }

  /** Bytes of all elements. */
  get bytes(): number {
    return this.size * cudaDtypeBytes(this.dtype);
  }

  get buffer(): DeviceBuffer {
    assert(!this.#freed, "a tensor is not used after free");
    return this.#storage.buffer;
  }

  get freed(): boolean {
    return this.#freed;
  }

  /** Always true: a GPU tensor has no strides. */
  get isContiguous(): boolean {
    return true;
  }

  /**
   * The same bits on the host, after what is on the stream is done. i8 becomes i32, which the host
   * has.
   */
  toHost({ stream = this.device.stream }: OnStream = {}): Tensor {
    const { shape, size } = this;
    if (this.dtype === "i8") {
      const bytes = new Int8Array(size);
      if (size > 0) stream.download({ buffer: this.buffer }, new Uint8Array(bytes.buffer));
      return Tensor.over(Int32Array.from(bytes), { dtype: "i32", shape });
    }
    const raw = allocateRaw(this.dtype, size);
    if (size > 0) stream.download({ buffer: this.buffer }, bytesOf(raw));
    return Tensor.over(raw, { dtype: this.dtype, shape });
  }

  /** The only element. @throws E_SHAPE when there are more. */
  item(): number {
    return this.toHost().item();
  }

  /** The digest of the same tensor on the host. Downloads it in pieces of 1 MiB. */
  digest({ stream = this.device.stream }: OnStream = {}): string {
    const { dtype, shape, buffer } = this;
    if (dtype === "i8") return this.toHost({ stream }).digest();
    const width = cudaDtypeBytes(dtype);
    return digestOf({
      dtype,
      shape,
      read: (start, _count, into) => stream.download({ buffer, offsetBytes: start * width }, into),
    });
  }

  /**
   * The same values in another dtype, each rounded once to nearest, ties to even. Into an integer
   * dtype it waits for the GPU.
   *
   * @throws E_DTYPE for values outside the range of an integer dtype, unless it may saturate.
   */
  to(
    dtype: CudaDType,
    { saturate = false, stream }: { readonly saturate?: boolean } & OnStream = {},
  ): CudaTensor {
    if (dtype === this.dtype) return this.#sharing(this.shape);
    return this.#made({ dtype, shape: this.shape }, (out) =>
      convertInto(this, out, { saturate, stream }),
    );
  }

  /** The same elements in another shape, in the same memory; one dimension may be -1. */
  reshape(shape: readonly number[]): CudaTensor {
    const known = shape.filter((length) => length !== -1);
    const rest = known.length === shape.length ? 1 : this.size / sizeOf(known, "reshape");
    const resolved = shape.map((length) => (length === -1 ? rest : length));
    if (shape.length - known.length > 1 || sizeOf(resolved, "reshape") !== this.size) {
      throw shapeError(
        "reshape",
        `${formatShape(this.shape)} has ${this.size} elements, which do not make ${formatShape(shape)}`,
      );
    }
    return this.#sharing(resolved);
  }

  /** A copy with the dimensions in this order. @throws E_SHAPE */
  permute(order: readonly number[], on: OnStream = {}): CudaTensor {
    return this.#copied(permuteView(this.#view(), order), on);
  }

  /** A copy with two dimensions swapped, by default the last two. @throws E_SHAPE */
  transpose(one = -2, other = -1, on: OnStream = {}): CudaTensor {
    const dims = this.shape.length;
    const a = resolveDim("transpose", one, dims);
    const b = resolveDim("transpose", other, dims);
    const order = this.shape.map((_, dim) => (dim === a ? b : dim === b ? a : dim));
    const [rows = 1, columns = 1] = this.shape.slice(-2);
    const batches = sizeOf(this.shape.slice(0, -2));
    const isMatrix = a !== b && Math.min(a, b) === dims - 2;
    if (!isMatrix || batches > gridMax || rows / 32 > gridMax) return this.permute(order, on);
    const shape = order.map((dim) => this.shape[dim] as number);
    return this.#made({ dtype: this.dtype, shape }, (out) =>
      transposeInto(this, { rows, columns, batches }, out, on),
    );
  }

  /** A copy in which dimensions of length 1 are repeated, with new ones in front. @throws E_SHAPE */
  expand(shape: readonly number[], on: OnStream = {}): CudaTensor {
    return this.#copied(expandView(this.#view(), shape), on);
  }

  /** A copy of its own. */
  clone({ stream = this.device.stream }: OnStream = {}): CudaTensor {
    return this.#made(this, (out) =>
      stream.copy({ buffer: out.buffer }, { buffer: this.buffer }, Math.max(this.bytes, 1)),
    );
  }

  /** Writes other elements into the same memory. For `out`-like use: who holds it sees the change. */
  upload(from: Tensor, { stream = this.device.stream }: OnStream = {}): void {
    assert(from.dtype === this.dtype && from.size === this.size, "elements of the same kind");
    if (this.size > 0) stream.upload({ buffer: this.buffer }, bytesOf(from.toRaw()));
  }

  /** Gives the memory back, once no other tensor shares it. Twice is once. */
  free(): void {
    if (this.#freed) return;
    this.#freed = true;
    this.#storage.holders--;
    if (this.#storage.holders === 0) this.#storage.buffer.free();
  }

  [Symbol.dispose](): void {
    this.free();
  }

  /** `bf16[8192, 8192] on cuda:0`. */
  toString(): string {
    return `${this.dtype}${formatShape(this.shape)} on ${this.device.id}`;
  }

  #view(): View {
    return { shape: this.shape, strides: contiguousStrides(this.shape), offset: 0 };
  }

  #sharing(shape: readonly number[]): CudaTensor {
    assert(!this.#freed, "a tensor is not used after free");
    return new CudaTensor(this.device, { dtype: this.dtype, shape }, this.#storage);
  }

  #copied(view: View, on: OnStream): CudaTensor {
    const { dtype } = this;
    return this.#made({ dtype, shape: view.shape }, (out) => copyView(this, view, out, on));
  }

  #made(spec: CudaTensorSpec, write: (out: CudaTensor) => void): CudaTensor {
    const out = CudaTensor.allocate(this.device, { dtype: spec.dtype, shape: spec.shape });
    try {
      write(out);
      return out;
    } catch (error) {
      out.free();
      throw error;
    }
  }
}
