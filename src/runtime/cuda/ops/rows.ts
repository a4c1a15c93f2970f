import { formatShape, shapeError, sizeOf } from "../../tensor/shape.ts";
import { resolveDim } from "../../tensor/view.ts";
import type { OnStream } from "../tensor/cuda-array.ts";
import { cudaDtypeBytes } from "../tensor/cuda-dtype.ts";
import type { CudaTensor } from "../tensor/cuda-tensor.ts";

/** A tensor as rows along its last dimension, and the threads that suit a row. */
export interface Rows {
  readonly rows: number;
  readonly columns: number;
  readonly threads: number;
}

/** @throws E_SHAPE when there is no last dimension or it has no elements. */
export function rowsOf(op: string, { shape, dtype }: CudaTensor): Rows {
  const columns = shape.at(-1);
  if (columns === undefined || columns === 0) {
    throw shapeError(op, `${formatShape(shape)} has no rows of elements`);
  }
  const packs = columns / (16 / cudaDtypeBytes(dtype));
  return {
    rows: sizeOf(shape.slice(0, -1)),
    columns,
    threads: Math.min(512, Math.max(32, 2 ** Math.ceil(Math.log2(Math.max(packs, 1))))),
  };
}

/**
 * `work` on tensors whose rows lie along `dim`: as they are when it is the last, else on copies
 * with that dimension last, and the result brought back.
 *
 * @throws E_SHAPE
 */
export function alongDim(
  op: string,
  o: OnStream & { readonly inputs: readonly CudaTensor[]; readonly dim?: number },
  work: (inputs: readonly CudaTensor[]) => CudaTensor,
): CudaTensor {
  const { inputs, dim = -1, stream } = o;
  const dims = inputs[0]?.shape.length ?? 0;
  const along = resolveDim(op, dim, dims);
  if (along === dims - 1) return work(inputs);
  const turned = inputs.map((input) => input.transpose(along, -1, { stream }));
  try {
    using out = work(turned);
    return out.transpose(along, -1, { stream });
  } finally {
    for (const one of turned) one.free();
  }
}
