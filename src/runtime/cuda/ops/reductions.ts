import { shapeError, sizeOf } from "../../tensor/shape.ts";
import { resolveDim } from "../../tensor/view.ts";
import { gridFor, launchKernel } from "../kernels/launch.ts";
import { reduceKernels } from "../kernels/reduce-kernels.ts";
import type { OnStream } from "../tensor/cuda-array.ts";
import { CudaTensor } from "../tensor/cuda-tensor.ts";
import { requireCudaFloat } from "./operands.ts";

export interface CudaReductionOptions extends OnStream {
  /** The dimensions that go; negative ones count from the end. @default all */
  readonly dims?: number | readonly number[];
  /** Keeps each reduced dimension, with length 1. @default false */
  readonly keepDims?: boolean;
}

/**
 * The sum along dimensions, in f64 in an order that depends on the shape alone, rounded once.
 * Integers stop at the ends of their range.
 *
 * @throws E_SHAPE; E_CUDA
 */
export function sum(x: CudaTensor, options: CudaReductionOptions = {}): CudaTensor {
  return reduced("sum", x, { ...options, kind: 0 });
}

/** The mean along dimensions of floats, as `sum`. @throws E_SHAPE, E_DTYPE; E_CUDA */
export function mean(x: CudaTensor, options: CudaReductionOptions = {}): CudaTensor {
  requireCudaFloat("mean", x);
  return reduced("mean", x, { ...options, kind: 0, isMean: true });
}

/** The largest along dimensions, exactly. NaN wins over all, +0 over -0. @throws as sum */
export function max(x: CudaTensor, options: CudaReductionOptions = {}): CudaTensor {
  return reduced("max", x, { ...options, kind: 1 });
}

/** The smallest along dimensions, exactly. NaN wins over all, -0 over +0. @throws as sum */
export function min(x: CudaTensor, options: CudaReductionOptions = {}): CudaTensor {
  return reduced("min", x, { ...options, kind: 2 });
}

interface Reduction extends CudaReductionOptions {
  readonly kind: 0 | 1 | 2;
  readonly isMean?: boolean;
}

interface Plan {
  /** The tensor as [results, count] (rows) or [count, results] (columns). */
  readonly x: CudaTensor;
  readonly along: "rows" | "columns";
  readonly results: number;
  readonly count: number;
  readonly out: CudaTensor;
  readonly how: Reduction;
}

function reduced(op: string, x: CudaTensor, how: Reduction): CudaTensor {
  const rank = x.shape.length;
  const given = how.dims === undefined ? x.shape.keys() : [how.dims].flat();
  const gone = new Set([...given].map((dim) => resolveDim(op, dim, rank)));
  const left = [...x.shape.keys()].filter((dim) => !gone.has(dim));
  const lengthsOf = (dims: Iterable<number>) => [...dims].map((dim) => x.shape[dim] as number);
  const count = sizeOf(lengthsOf(gone));
  const results = sizeOf(lengthsOf(left));
  if (count === 0 && how.kind !== 0) throw shapeError(op, "there is no element to choose from");
  const shape =
    how.keepDims === true
      ? x.shape.map((length, dim) => (gone.has(dim) ? 1 : length))
      : lengthsOf(left);
  const out = CudaTensor.allocate(x.device, { dtype: x.dtype, shape });
  if (results === 0) return out;
  const order = [...gone].toSorted((a, b) => a - b);
  const areLast = order.every((dim, at) => dim === left.length + at);
  const areFirst = order.every((dim, at) => dim === at);
  const plan = { results, count, out, how };
  if (areLast || areFirst) {
    reduce({ ...plan, x, along: areLast ? "rows" : "columns" });
    return out;
  }
  using turned = x.permute([...left, ...order], how);
  reduce({ ...plan, x: turned, along: "rows" });
  return out;
}

const perBlockMin = 4096;
const rowsPerBlockMin = 64;
const partsMax = 1024;
const gridMax = 65_535;

function reduce({ x, along, results, count, out, how }: Plan): void {
  const { device } = x;
  const source = reduceKernels.source({ T: x.dtype });
  const isRows = along === "rows";
  const least = isRows ? perBlockMin : rowsPerBlockMin;
  // A multiple of 16 elements, so that every stretch starts at a multiple of 16 bytes.
  const each = Math.ceil(Math.max(least, count / partsMax) / 16) * 16;
  const parts = Math.max(1, Math.ceil(count / each));
  using partial = device.memory.allocate(8 * parts * results, { purpose: "partial sums" });
  const rowsGrid = Math.min(results, gridMax);
  const { kind, isMean = false, stream } = how;
  const lengths = isRows ? [results, count] : [count, results];
  launchKernel(device, {
    source,
    kernel: isRows ? "reduce_rows" : "reduce_columns",
    grid: isRows
      ? [parts, rowsGrid, Math.ceil(results / rowsGrid)]
      : [Math.ceil(results / 32), parts],
    block: isRows ? (count > 1024 ? 256 : 32) : [32, 8],
    args: [
      { ptr: x.buffer },
      ...lengths.map((i64) => ({ i64 })),
      { i64: each },
      { i32: kind },
      { ptr: partial },
    ],
    stream,
  });
  const shape = isRows ? [results, parts] : [parts, results];
  launchKernel(device, {
    source,
    kernel: isRows ? "finish_rows" : "finish_columns",
    grid: gridFor(device, { items: results }),
    block: 256,
    args: [
      { ptr: partial },
      ...shape.map((i64) => ({ i64 })),
      { i32: kind },
      { f64: isMean ? count : 1 },
      { ptr: out.buffer },
    ],
    stream,
  });
}
