import { launchKernel } from "../kernels/launch.ts";
import { softmaxKernels } from "../kernels/softmax-kernels.ts";
import type { OnStream } from "../tensor/cuda-array.ts";
import { CudaTensor } from "../tensor/cuda-tensor.ts";
import {
  requireCudaFloat,
  requireCudaShape,
  requireOneDevice,
  requireOneDType,
} from "./operands.ts";
import { alongDim, rowsOf } from "./rows.ts";

export interface CudaAlongOptions extends OnStream {
  /** The dimension whose elements belong together. @default the last */
  readonly dim?: number;
}

/**
 * exp(x - max) over its sum along a dimension, sums in f32 (f64 for f64). A row with NaN or +Inf, or
 * with nothing but -Inf, is NaN throughout.
 *
 * @throws E_DTYPE, E_SHAPE; E_CUDA
 */
export function softmax(x: CudaTensor, options: CudaAlongOptions = {}): CudaTensor {
  return rowwise("softmax", [x], { ...options, kernel: "softmax" });
}

/** The logarithm of `softmax`. @throws as softmax */
export function logSoftmax(x: CudaTensor, options: CudaAlongOptions = {}): CudaTensor {
  return rowwise("logSoftmax", [x], { ...options, kernel: "log_softmax" });
}

/** The gradient of `softmax` from its result y: y (g - sum of y g). @throws as softmax */
export function softmaxBackward(
  gradient: CudaTensor,
  y: CudaTensor,
  options: CudaAlongOptions = {},
): CudaTensor {
  return rowwise("softmaxBackward", [gradient, y], { ...options, kernel: "softmax_backward" });
}

/** The gradient of `logSoftmax` from its result y: g - exp(y) times the sum of g. @throws as softmax */
export function logSoftmaxBackward(
  gradient: CudaTensor,
  y: CudaTensor,
  options: CudaAlongOptions = {},
): CudaTensor {
  const how = { ...options, kernel: "log_softmax_backward" };
  return rowwise("logSoftmaxBackward", [gradient, y], how);
}

function rowwise(
  op: string,
  inputs: readonly [CudaTensor, ...CudaTensor[]],
  { kernel, dim = -1, stream }: CudaAlongOptions & { readonly kernel: string },
): CudaTensor {
  const [first, ...others] = inputs;
  requireCudaFloat(op, first);
  requireOneDevice(op, first, ...others);
  requireOneDType(op, first, ...others);
  for (const one of others)
    requireCudaShape(op, one, { shape: first.shape, what: "other operand" });
  return alongDim(op, { inputs, dim, stream }, (turned) => {
    const [x] = turned as [CudaTensor];
    const { rows, columns, threads } = rowsOf(op, x);
    const out = CudaTensor.allocate(x.device, { dtype: x.dtype, shape: x.shape });
    if (rows === 0) return out;
    launchKernel(x.device, {
      source: softmaxKernels.source({ T: x.dtype }),
      kernel,
      grid: rows,
      block: threads,
      args: [
        ...turned.map(({ buffer }) => ({ ptr: buffer })),
        { ptr: out.buffer },
        { i64: columns },
      ],
      stream,
    });
    return out;
  });
}
