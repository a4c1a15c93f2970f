import { matmul } from "../../../../../runtime/cuda/ops/index.ts";
import { type CudaTensor, cudaDtypeBytes } from "../../../../../runtime/cuda/tensor/index.ts";
import type { EngineMatmulOptions } from "../engine.ts";

/**
 * A product without the last term of each sum, as a kernel would give that stops one short. cuBLAS's
 * own kernels cannot be altered, so one factor has zeros there.
 */
export function matmulWithoutLastTerm(
  a: CudaTensor,
  b: CudaTensor,
  options: EngineMatmulOptions,
): CudaTensor {
  const { dtype, transposeA = false, transposeB = false, tf32 = false } = options;
  const lastRowOf = transposeB ? (transposeA ? a : undefined) : b;
  const cut = (lastRowOf ?? a).clone();
  try {
    if (lastRowOf === undefined) clearLastColumn(cut);
    else clearLastRow(cut);
    const how = {
      transposeA,
      transposeB,
      tf32,
      ...(dtype === undefined ? {} : { outDtype: dtype }),
    };
    return lastRowOf === b ? matmul(a, cut, how) : matmul(cut, b, how);
  } finally {
    cut.free();
  }
}

/** Of every matrix of a batch. */
function clearLastRow({ device, buffer, shape, dtype, size }: CudaTensor): void {
  const { stream } = device;
  const [rows = 1, columns = 1] = shape.slice(-2);
  const bytes = columns * cudaDtypeBytes(dtype);
  for (let row = rows - 1; row * columns < size; row += rows) {
    stream.fill({ buffer, offsetBytes: row * bytes }, 0, bytes);
  }
}

/** Of every matrix of a batch. */
function clearLastColumn({ device, buffer, shape, dtype, size }: CudaTensor): void {
  const { stream } = device;
  const columns = shape.at(-1) ?? 1;
  const width = cudaDtypeBytes(dtype);
  for (let last = columns - 1; last < size; last += columns) {
    stream.fill({ buffer, offsetBytes: last * width }, 0, width);
  }
}
