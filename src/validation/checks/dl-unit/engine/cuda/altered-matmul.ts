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

function clearLastRow({ device, buffer, shape, dtype }: CudaTensor): void {
  const { stream } = device;
  const [rows = 1, columns = 1] = shape;
  const bytes = columns * cudaDtypeBytes(dtype);
  stream.fill({ buffer, offsetBytes: (rows - 1) * bytes }, 0, bytes);
}

function clearLastColumn({ device, buffer, shape, dtype }: CudaTensor): void {
  const { stream } = device;
  const [rows = 1, columns = 1] = shape;
  const width = cudaDtypeBytes(dtype);
  for (let row = 0; row < rows; row++) {
    const last = (row * columns + columns - 1) * width;
    stream.fill({ buffer, offsetBytes: last }, 0, width);
  }
}
