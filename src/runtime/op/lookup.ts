import * as onGpu from "../cuda/ops/index.ts";
import { CudaTensor } from "../cuda/tensor/index.ts";
import { DistTensor } from "../dist/array/index.ts";
import type { Placement } from "../dist/layout/index.ts";
import type { Tensor } from "../tensor/index.ts";
import type { CrossEntropy, CrossEntropyOptions } from "../tensor/ops/index.ts";
import * as ops from "../tensor/ops/index.ts";
import { dispatch, type Plan } from "./dispatch.ts";
import { layoutError, type Operand } from "./operand.ts";
import { alignedTo } from "./rules/align.ts";
import { refusePartial, refuseSplit } from "./rules/unary.ts";

/**
 * The rows of a table [rows, columns] at indices [...]. On devices, columns of the table may be
 * split, and the indices along any dimension; rows of the table may not.
 *
 * @throws E_SHAPE, E_DTYPE; E_LAYOUT_OP; E_DESYNC, E_DEVICE_LOST.
 */
export function embedding(table: Tensor, indices: Tensor): Tensor;
export function embedding(table: CudaTensor, indices: CudaTensor): CudaTensor;
export function embedding(table: DistTensor, indices: Operand): DistTensor;
export function embedding(table: Operand, indices: DistTensor): DistTensor;
export function embedding(table: Operand, indices: Operand): Operand {
  return dispatch({
    op: "embedding",
    operands: [table, indices],
    compute: ([rows, at]) => ops.embedding(rows as Tensor, at as Tensor),
    cuda: ([rows, at]) => onGpu.embedding(rows as CudaTensor, at as CudaTensor),
    flops: () => 0,
    plan: (inputs) => embeddingPlan(inputs as [DistTensor, DistTensor]),
  });
}

/** The loss of a batch on devices. */
export interface DistCrossEntropy {
  readonly loss: number;
  /** One loss per row in f64, on the devices that hold the rows. */
  readonly rowLosses: DistTensor;
}

/**
 * How far logits [..., classes] are from target classes [...]. On devices, rows may be split and
 * classes may not; the loss is the exact sum of all rows, whatever the layout.
 *
 * @throws E_SHAPE, E_DTYPE; E_LAYOUT_OP; E_DESYNC, E_DEVICE_LOST.
 */
export function crossEntropy(
  logits: Tensor,
  targets: Tensor,
  o?: CrossEntropyOptions,
): CrossEntropy;
export function crossEntropy(
  logits: CudaTensor,
  targets: CudaTensor,
  o?: CrossEntropyOptions,
): onGpu.CudaCrossEntropy;
export function crossEntropy(
  logits: DistTensor,
  targets: Operand,
  o?: CrossEntropyOptions,
): DistCrossEntropy;
export function crossEntropy(
  logits: Operand,
  targets: Operand,
  options: CrossEntropyOptions = {},
): CrossEntropy | onGpu.CudaCrossEntropy | DistCrossEntropy {
  const rowLosses = dispatch({
    op: "crossEntropy",
    operands: [logits, targets],
    compute: ([rows, at]) => ops.crossEntropy(rows as Tensor, at as Tensor, options).rowLosses,
    cuda: ([rows, at]) => onGpu.crossEntropyRows(rows as CudaTensor, at as CudaTensor),
    flops: ([rows]) => 5 * (rows?.size ?? 0),
    plan: (inputs) => rowsPlan(inputs as [DistTensor, DistTensor]),
  });
  if (rowLosses instanceof CudaTensor) {
    return { loss: ops.totalLoss([rowLosses.toHost()], options), rowLosses };
  }
  if (!(rowLosses instanceof DistTensor)) {
    return { loss: ops.totalLoss([rowLosses], options), rowLosses };
  }
  return { loss: ops.totalLoss([rowLosses.toTensor()], options), rowLosses };
}

function embeddingPlan([table, indices]: readonly [DistTensor, DistTensor]): Plan {
  const op = "embedding";
  refusePartial(table, { op, isLinear: true });
  refusePartial(indices, { op });
  refuseSplit(table, op, 0);
  const columns = indices.shape.length;
  const placements = table.layout.placements.map((placement, axis): Placement => {
    const own = indices.layout.placements[axis] ?? { kind: "replicate" };
    if (placement.kind === "replicate") return own;
    if (own.kind === "replicate") {
      return placement.kind === "shard" ? { ...placement, dim: columns } : placement;
    }
    throw layoutError(
      op,
      `over ${table.mesh.axes[axis]} both the table and the indices are split`,
      "Replicate one of them along that axis.",
    );
  });
  return { inputs: [table, indices], placements };
}

function rowsPlan([logits, targets]: readonly [DistTensor, DistTensor]): Plan {
  const op = "crossEntropy";
  refusePartial(logits, { op });
  refusePartial(targets, { op });
  refuseSplit(logits, op, logits.shape.length - 1);
  const { placements } = logits.layout;
  const aligned = alignedTo(targets, placements);
  if (aligned !== undefined) return { inputs: [logits, aligned], placements };
  throw layoutError(
    op,
    `the logits lie as ${logits.layout.describe()} and the targets as ${targets.layout.describe()}`,
    "Split the targets as the rows of the logits are split: x.redistribute(…).",
  );
}
