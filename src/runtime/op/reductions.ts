import * as onGpu from "../cuda/ops/index.ts";
import type { CudaTensor } from "../cuda/tensor/index.ts";
import type { DistTensor } from "../dist/array/index.ts";
import type { Placement } from "../dist/layout/index.ts";
import type { Tensor } from "../tensor/index.ts";
import type { SumOptions } from "../tensor/ops/index.ts";
import * as ops from "../tensor/ops/index.ts";
import { dispatch, type Plan } from "./dispatch.ts";
import { layoutError, type Operand } from "./operand.ts";
import { refusePartial, refuseSplit } from "./rules/unary.ts";

export type { SumOptions } from "../tensor/ops/index.ts";
/** Over what to reduce. */
export type DimsOptions = Pick<SumOptions, "dims" | "keepDims">;

/**
 * The sum along dimensions. Where mesh axes split them, each device sums its part and the result is
 * partial by sum.
 *
 * @throws E_SHAPE; E_LAYOUT_OP; E_DESYNC, E_DEVICE_LOST.
 */
export function sum<T extends Operand>(x: T, options: SumOptions = {}): T {
  return reduced(x, { op: "sum", options, compute: ops.sum, cuda: onGpu.sum, split: "sum" });
}

/** The mean along dimensions, none of which may be split. @throws as sum */
export function mean<T extends Operand>(x: T, options: DimsOptions = {}): T {
  return reduced(x, { op: "mean", options, compute: ops.mean, cuda: onGpu.mean, split: undefined });
}

/** The largest along dimensions; partial by max where mesh axes split them. @throws as sum */
export function max<T extends Operand>(x: T, options: DimsOptions = {}): T {
  return reduced(x, { op: "max", options, compute: ops.max, cuda: onGpu.max, split: "max" });
}

/** The smallest along dimensions; partial by min where mesh axes split them. @throws as sum */
export function min<T extends Operand>(x: T, options: DimsOptions = {}): T {
  return reduced(x, { op: "min", options, compute: ops.min, cuda: onGpu.min, split: "min" });
}

/** Swaps two dimensions, by default the last two; on devices, each its own part. */
export function transpose<T extends Operand>(x: T, one = -2, other = -1): T {
  const dims = x.shape.length;
  const a = one < 0 ? one + dims : one;
  const b = other < 0 ? other + dims : other;
  const renumber = (dim: number) => (dim === a ? b : dim === b ? a : dim);
  return dispatch({
    op: "transpose",
    operands: [x],
    compute: ([local]) => (local as Tensor).transpose(one, other),
    cuda: ([local]) => (local as CudaTensor).transpose(one, other),
    flops: () => 0,
    plan: ([input]) => ({
      inputs: [input as DistTensor],
      placements: (input as DistTensor).layout.placements.map((placement) =>
        placement.kind === "shard" ? { ...placement, dim: renumber(placement.dim) } : placement,
      ),
    }),
  }) as T;
}

interface Reduced {
  readonly op: string;
  readonly options: SumOptions;
  readonly compute: (x: Tensor, options: SumOptions) => Tensor;
  readonly cuda: (x: CudaTensor, options: DimsOptions) => CudaTensor;
  /** What parts of a split dimension wait for; undefined when there is nothing that makes it right. */
  readonly split: "sum" | "max" | "min" | undefined;
}

function reduced<T extends Operand>(x: T, how: Reduced): T {
  return dispatch({
    op: how.op,
    operands: [x],
    compute: ([local]) => how.compute(local as Tensor, how.options),
    cuda: ([local]) => how.cuda(local as CudaTensor, onGpuOptions(how)),
    flops: ([local]) => local?.size ?? 0,
    plan: ([input]) => reductionPlan(input as DistTensor, how),
  }) as T;
}

function onGpuOptions({ op, options: { accumulate, ...dims } }: Reduced): DimsOptions {
  if (accumulate !== "exact") return dims;
  throw layoutError(op, "a GPU does not sum exactly", "Sum on this host: x.toHost().");
}

function reductionPlan(x: DistTensor, { op, options, split }: Reduced): Plan {
  const { dims: given, keepDims = false } = options;
  const rank = x.shape.length;
  const gone = new Set(
    given === undefined
      ? x.shape.keys()
      : [given].flat().map((dim) => (dim < 0 ? dim + rank : dim)),
  );
  refusePartial(x, { op, isLinear: op === "sum" });
  if (split === undefined) for (const dim of gone) refuseSplit(x, op, dim);
  // An empty part has no largest element; a sum of nothing is 0.
  const renumber = (dim: number) =>
    keepDims ? dim : dim - [...gone].filter((one) => one < dim).length;
  const placements = x.layout.placements.map((placement): Placement => {
    if (placement.kind !== "shard") return placement;
    if (!gone.has(placement.dim)) return { ...placement, dim: renumber(placement.dim) };
    return split === undefined ? { kind: "replicate" } : { kind: "partial", op: split };
  });
  return { inputs: [x], placements };
}
