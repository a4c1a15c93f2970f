import { totalLoss } from "../../tensor/ops/cross-entropy.ts";
import { launchKernel } from "../kernels/launch.ts";
import { softmaxKernels } from "../kernels/softmax-kernels.ts";
import { CudaTensor } from "../tensor/cuda-tensor.ts";
import { type CudaLookupOptions, requireIndices } from "./embedding.ts";
import { requireCudaFloat, requireCudaShape, requireOneDevice } from "./operands.ts";
import { rowsOf } from "./rows.ts";

export interface CudaCrossEntropyOptions extends CudaLookupOptions {
  /** What the sum over rows is divided by. @default the number of rows */
  readonly normalizer?: number;
}

export interface CudaCrossEntropy {
  /** The exact sum of the row losses, rounded to f64, over the normalizer. */
  readonly loss: number;
  /** One loss for each row in f64, in the shape of the targets. */
  readonly rowLosses: CudaTensor;
}

/**
 * How far logits [..., classes] are from i32 target classes [...]; sums in f32 (f64 for f64). Waits
 * for the GPU.
 *
 * @throws E_SHAPE, E_DTYPE; E_CUDA
 */
export function crossEntropy(
  logits: CudaTensor,
  targets: CudaTensor,
  options: CudaCrossEntropyOptions = {},
): CudaCrossEntropy {
  const rowLosses = crossEntropyRows(logits, targets, options);
  const { normalizer } = options;
  const loss = totalLoss(
    [rowLosses.toHost(options)],
    normalizer === undefined ? {} : { normalizer },
  );
  return { loss, rowLosses };
}

/** The losses of `crossEntropy` alone, one for each row. @throws as crossEntropy */
export function crossEntropyRows(
  logits: CudaTensor,
  targets: CudaTensor,
  options: CudaCrossEntropyOptions = {},
): CudaTensor {
  const { rows, columns, threads } = checked("crossEntropy", { logits, targets, options });
  const { device } = logits;
  const out = CudaTensor.allocate(device, { dtype: "f64", shape: targets.shape });
  if (rows === 0) return out;
  launchKernel(device, {
    source: softmaxKernels.source({ T: logits.dtype }),
    kernel: "cross_entropy",
    grid: rows,
    block: threads,
    args: [{ ptr: logits.buffer }, { ptr: targets.buffer }, { ptr: out.buffer }, { i64: columns }],
    stream: options.stream,
  });
  return out;
}

/** The gradient of the loss: (softmax - 1 at the target) over the normalizer. @throws as crossEntropy */
export function crossEntropyBackward(
  logits: CudaTensor,
  targets: CudaTensor,
  options: CudaCrossEntropyOptions = {},
): CudaTensor {
  const { rows, columns, threads } = checked("crossEntropyBackward", { logits, targets, options });
  const { device, dtype, shape } = logits;
  const out = CudaTensor.allocate(device, { dtype, shape });
  if (rows === 0) return out;
  launchKernel(device, {
    source: softmaxKernels.source({ T: dtype }),
    kernel: "cross_entropy_backward",
    grid: rows,
    block: threads,
    args: [
      { ptr: logits.buffer },
      { ptr: targets.buffer },
      { ptr: out.buffer },
      { i64: columns },
      { f64: options.normalizer ?? rows },
    ],
    stream: options.stream,
  });
  return out;
}

function checked(
  op: string,
  o: {
    readonly logits: CudaTensor;
    readonly targets: CudaTensor;
    readonly options: CudaCrossEntropyOptions;
  },
) {
  const { logits, targets, options } = o;
  requireCudaFloat(op, logits);
  requireOneDevice(op, logits, targets);
  requireCudaShape(op, targets, { shape: logits.shape.slice(0, -1), what: "list of targets" });
  const rows = rowsOf(op, logits);
  requireIndices(op, targets, rows.columns, options);
  return rows;
}
