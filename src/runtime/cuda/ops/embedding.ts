import { dtypeError } from "../../tensor/ops/operands.ts";
import { formatShape, shapeError } from "../../tensor/shape.ts";
import { embeddingKernels } from "../kernels/embedding-kernels.ts";
import { gridFor, launchKernel } from "../kernels/launch.ts";
import type { OnStream } from "../tensor/cuda-array.ts";
import { CudaTensor } from "../tensor/cuda-tensor.ts";
import { requireCudaFloat, requireCudaShape, requireOneDevice } from "./operands.ts";

export interface CudaLookupOptions extends OnStream {
  /** Indices are known to be within the table: nothing waits for the GPU. @default false */
  readonly trusted?: boolean;
}

/**
 * The rows of a table [rows, columns] at i32 indices [...], as [..., columns]. Exact. Waits for the
 * GPU to look at the indices, unless they are trusted.
 *
 * @throws E_SHAPE for an index outside the table, E_DTYPE; E_CUDA
 */
export function embedding(
  table: CudaTensor,
  indices: CudaTensor,
  options: CudaLookupOptions = {},
): CudaTensor {
  const device = requireOneDevice("embedding", table, indices);
  const [rows, columns] = table.shape;
  if (rows === undefined || columns === undefined || table.shape.length !== 2) {
    throw shapeError("embedding", `${formatShape(table.shape)} is no table of rows and columns`);
  }
  requireIndices("embedding", indices, rows, options);
  const shape = [...indices.shape, columns];
  const out = CudaTensor.allocate(device, { dtype: table.dtype, shape });
  if (out.size === 0) return out;
  launchKernel(device, {
    source: embeddingKernels.source({ T: table.dtype }),
    kernel: "embedding",
    grid: indices.size,
    block: 128,
    args: [{ ptr: table.buffer }, { ptr: indices.buffer }, { ptr: out.buffer }, { i64: columns }],
    stream: options.stream,
  });
  return out;
}

/**
 * The gradient of the table of `embedding`: each row the sum of the gradients of its uses, in f64 in
 * the order of the indices, rounded once; the bits of the host.
 *
 * @throws as embedding
 */
export function embeddingBackward(
  gradient: CudaTensor,
  lookup: CudaLookupOptions & { readonly indices: CudaTensor; readonly rows: number },
): CudaTensor {
  const op = "embeddingBackward";
  const { indices, rows, stream } = lookup;
  const device = requireOneDevice(op, gradient, indices);
  requireCudaFloat(op, gradient);
  const columns = gradient.shape.at(-1) ?? 0;
  requireCudaShape(op, gradient, { shape: [...indices.shape, columns], what: "gradient" });
  requireIndices(op, indices, rows, lookup);
  const out = CudaTensor.allocate(device, { dtype: gradient.dtype, shape: [rows, columns] });
  if (out.size === 0) return out;
  launchKernel(device, {
    source: embeddingKernels.source({ T: gradient.dtype }),
    kernel: "embedding_backward",
    grid: rows,
    block: 256,
    args: [
      { ptr: gradient.buffer },
      { ptr: indices.buffer },
      { ptr: out.buffer },
      { i64: indices.size },
      { i64: columns },
    ],
    stream,
  });
  return out;
}

/** @throws E_DTYPE unless they are i32, E_SHAPE for one outside. */
export function requireIndices(
  op: string,
  indices: CudaTensor,
  rows: number,
  { trusted = false, stream = indices.device.stream }: CudaLookupOptions,
): void {
  if (indices.dtype !== "i32") throw dtypeError(op, `indices are i32, not ${indices.dtype}`);
  if (trusted || indices.size === 0) return;
  const { device } = indices;
  using found = device.memory.allocate(16);
  stream.upload({ buffer: found }, new Uint8Array(16).fill(0xff, 8));
  launchKernel(device, {
    source: embeddingKernels.source({ T: "f32" }),
    kernel: "indices_outside",
    grid: gridFor(device, { items: indices.size }),
    block: 256,
    args: [{ ptr: indices.buffer }, { i64: indices.size }, { i64: rows }, { ptr: found }],
    stream,
  });
  const answer = new Uint8Array(16);
  stream.download({ buffer: found }, answer);
  const view = new DataView(answer.buffer);
  if (view.getBigUint64(0, true) === 0n) return;
  const place = view.getBigUint64(8, true);
  throw shapeError(op, `the index at place ${place} is outside 0 to ${rows - 1}`);
}
