import { formatShape, shapeError } from "../../tensor/shape.ts";
import type { View } from "../../tensor/view.ts";
import { gridFor, launchKernel } from "../kernels/launch.ts";
import { layoutKernels } from "../kernels/layout-kernels.ts";
import type { CudaArray, OnStream } from "./cuda-array.ts";
import { type CudaDType, cudaDtypeBytes } from "./cuda-dtype.ts";

const tile = 32;
const dimsMax = 6;

/** A format of the same width that kernels move without reading it as a number. */
export function carrierOf(dtype: CudaDType): CudaDType {
  return ({ 1: "u8", 2: "bf16", 4: "i32", 8: "f64" } as const)[cudaDtypeBytes(dtype)];
}

/**
 * Writes the elements that a view of `x` shows to `out`, in row-major order.
 *
 * @throws E_SHAPE for more than six dimensions that cannot be walked as one.
 */
export function copyView(
  x: CudaArray,
  { shape, strides, offset }: View,
  out: CudaArray,
  { stream }: OnStream = {},
): void {
  if (out.size === 0) return;
  const dims = mergedDims(shape, strides);
  if (dims.length > dimsMax) {
    throw shapeError("permute", `${formatShape(shape)} has more than ${dimsMax} dimensions`);
  }
  const padded = [
    ...Array.from({ length: dimsMax - dims.length }, () => ({ length: 1, stride: 0 })),
    ...dims,
  ];
  const bytes = cudaDtypeBytes(x.dtype);
  launchKernel(x.device, {
    source: layoutKernels.source({ T: carrierOf(x.dtype) }),
    kernel: "copy_strided",
    grid: gridFor(x.device, { items: out.size }),
    block: 256,
    args: [
      { ptr: { buffer: x.buffer, offsetBytes: offset * bytes } },
      { ptr: out.buffer },
      { i64: out.size },
      ...padded.slice(1).map(({ length }) => ({ i64: length })),
      ...padded.map(({ stride }) => ({ i64: stride })),
    ],
    stream,
  });
}

/** Transposes `batches` matrices of `rows` by `columns`, each into its place in `out`. */
export function transposeInto(
  x: CudaArray,
  { rows, columns, batches }: { rows: number; columns: number; batches: number },
  out: CudaArray,
  { stream }: OnStream = {},
): void {
  if (out.size === 0) return;
  launchKernel(x.device, {
    source: layoutKernels.source({ T: carrierOf(x.dtype) }),
    kernel: "transpose_tiles",
    grid: [Math.ceil(columns / tile), Math.ceil(rows / tile), batches],
    block: [tile, 8],
    args: [{ ptr: x.buffer }, { ptr: out.buffer }, { i64: rows }, { i64: columns }],
    stream,
  });
}

/** Dimensions without those of one index, neighbours joined where one walks through both. */
function mergedDims(shape: readonly number[], strides: readonly number[]) {
  const merged: { length: number; stride: number }[] = [];
  for (const [dim, length] of shape.entries()) {
    if (length === 1) continue;
    const stride = strides[dim] as number;
    const last = merged.at(-1);
    if (last !== undefined && last.stride === length * stride) {
      last.length *= length;
      last.stride = stride;
    } else {
      merged.push({ length, stride });
    }
  }
  return merged;
}
