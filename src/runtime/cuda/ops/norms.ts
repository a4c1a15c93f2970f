import { launchKernel } from "../kernels/launch.ts";
import { normKernels } from "../kernels/norm-kernels.ts";
import { reduceKernels } from "../kernels/reduce-kernels.ts";
import type { IntoTensor, OnStream } from "../tensor/cuda-array.ts";
import { CudaTensor } from "../tensor/cuda-tensor.ts";
import {
  outputFor,
  requireCudaFloat,
  requireCudaShape,
  requireOneDevice,
  requireOneDType,
} from "./operands.ts";
import { rowsOf } from "./rows.ts";

/** What a norm is made of besides its input. */
export interface CudaNormParams {
  /** One factor for each element of the last dimension. */
  readonly gain: CudaTensor;
  /** Added at the end. @default none */
  readonly bias?: CudaTensor | undefined;
  /** Added to the variance, or to the mean square, before the root. @default 1e-5 */
  readonly epsilon?: number | undefined;
}

/** The gradients of a norm, those of its parameters summed over all rows. */
export interface CudaNormGradients {
  readonly input: CudaTensor;
  readonly gain: CudaTensor;
  readonly bias: CudaTensor;
}

/**
 * (x - mean) / sqrt(variance + epsilon) times the gain, plus the bias, along the last dimension;
 * sums in f32 (f64 for f64).
 *
 * @throws E_SHAPE, E_DTYPE; E_CUDA
 */
export function layerNorm(
  x: CudaTensor,
  params: CudaNormParams,
  into: IntoTensor<CudaTensor> = {},
): CudaTensor {
  return forward("layerNorm", { x, params, into, centred: 1 });
}

/** x / sqrt(mean of squares + epsilon) times the gain, plus the bias. @throws as layerNorm */
export function rmsNorm(
  x: CudaTensor,
  params: CudaNormParams,
  into: IntoTensor<CudaTensor> = {},
): CudaTensor {
  return forward("rmsNorm", { x, params, into, centred: 0 });
}

/** The gradients of `layerNorm` at x; those of gain and bias are summed in f64. @throws as layerNorm */
export function layerNormBackward(
  gradient: CudaTensor,
  x: CudaTensor,
  params: CudaNormParams & OnStream,
): CudaNormGradients {
  return backward("layerNormBackward", { gradient, x, params, centred: 1 });
}

/** The gradients of `rmsNorm` at x; as `layerNormBackward`. */
export function rmsNormBackward(
  gradient: CudaTensor,
  x: CudaTensor,
  params: CudaNormParams & OnStream,
): CudaNormGradients {
  return backward("rmsNormBackward", { gradient, x, params, centred: 0 });
}

interface Norm {
  readonly x: CudaTensor;
  readonly params: CudaNormParams;
  readonly centred: 0 | 1;
}

function forward(
  op: string,
  { x, params, centred, into }: Norm & { readonly into: IntoTensor<CudaTensor> },
): CudaTensor {
  const { gain, bias, epsilon = 1e-5 } = params;
  const { rows, columns, threads } = checked(op, { x, params, centred });
  const out = outputFor(op, x.device, x, into);
  if (rows === 0) return out;
  launchKernel(x.device, {
    source: normKernels.source({ T: x.dtype }),
    kernel: "norm_forward",
    grid: rows,
    block: threads,
    args: [
      { ptr: x.buffer },
      { ptr: gain.buffer },
      { ptr: bias?.buffer ?? 0n },
      { ptr: out.buffer },
      { i64: columns },
      { i32: centred },
      { f64: epsilon },
    ],
    stream: into.stream,
  });
  return out;
}

// Rows that a block of the column sums takes; more blocks than this leave too many partial sums.
const rowsPerBlockMin = 64;
const rowBlocksMax = 256;

function backward(
  op: string,
  o: Norm & { readonly gradient: CudaTensor; readonly params: CudaNormParams & OnStream },
): CudaNormGradients {
  const { gradient, x, params, centred } = o;
  const { gain, epsilon = 1e-5, stream } = params;
  const { device, dtype } = x;
  const { rows, columns, threads } = checked(op, o);
  requireOneDevice(op, x, gradient);
  requireOneDType(op, x, gradient);
  requireCudaShape(op, gradient, { shape: x.shape, what: "gradient" });
  const shape = [columns];
  const out: CudaNormGradients = {
    input: CudaTensor.allocate(device, { dtype, shape: x.shape }),
    gain: CudaTensor.allocate(device, { dtype, shape }),
    bias: CudaTensor.allocate(device, { dtype, shape }),
  };
  const rowsPerBlock = Math.max(rowsPerBlockMin, Math.ceil(rows / rowBlocksMax));
  const rowBlocks = Math.max(1, Math.ceil(rows / rowsPerBlock));
  using stats = device.memory.allocate(Math.max(16 * rows, 16));
  using gainSums = device.memory.allocate(8 * rowBlocks * columns);
  using biasSums = device.memory.allocate(8 * rowBlocks * columns);
  const inputs = [{ ptr: gradient.buffer }, { ptr: x.buffer }];
  const source = normKernels.source({ T: dtype });
  if (rows > 0) {
    const norm = [{ i64: columns }, { i32: centred }, { f64: epsilon }];
    const written = [{ ptr: out.input.buffer }, { ptr: stats }];
    launchKernel(device, {
      source,
      kernel: "norm_backward",
      grid: rows,
      block: threads,
      args: [...inputs, { ptr: gain.buffer }, ...written, ...norm],
      stream,
    });
  }
  const stretch = [{ i64: rows }, { i64: columns }, { i64: rowsPerBlock }];
  launchKernel(device, {
    source,
    kernel: "norm_gain_terms",
    grid: [Math.ceil(columns / 32), rowBlocks],
    block: [32, 8],
    args: [...inputs, { ptr: stats }, ...stretch, { ptr: gainSums }, { ptr: biasSums }],
    stream,
  });
  for (const [parts, to] of [
    [gainSums, out.gain],
    [biasSums, out.bias],
  ] as const) {
    launchKernel(device, {
      source: reduceKernels.source({ T: dtype }),
      kernel: "finish_columns",
      grid: Math.ceil(columns / 256),
      block: 256,
      args: [
        { ptr: parts },
        { i64: rowBlocks },
        { i64: columns },
        { i32: 0 },
        { f64: 1 },
        { ptr: to.buffer },
      ],
      stream,
    });
  }
  return out;
}

function checked(op: string, { x, params }: Norm) {
  requireCudaFloat(op, x);
  const rows = rowsOf(op, x);
  const { gain, bias } = params;
  requireOneDevice(op, x, gain, bias);
  requireOneDType(op, x, gain, bias);
  for (const [what, param] of Object.entries({ gain, bias })) {
    if (param !== undefined) requireCudaShape(op, param, { shape: [rows.columns], what });
  }
  return rows;
}
