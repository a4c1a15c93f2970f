import { formatShape, shapeError, sizeOf } from "../../tensor/shape.ts";
import { attentionBackwardKernels } from "../kernels/attention-backward-kernels.ts";
import { attentionKernels } from "../kernels/attention-kernels.ts";
import { launchKernel } from "../kernels/launch.ts";
import type { OnStream } from "../tensor/cuda-array.ts";
import { CudaTensor } from "../tensor/cuda-tensor.ts";
import {
  requireCudaFloat,
  requireCudaShape,
  requireOneDevice,
  requireOneDType,
} from "./operands.ts";

/** Queries, keys and values, each [..., positions, width] with a width of at most 256. */
export interface CudaAttentionInputs {
  readonly q: CudaTensor;
  readonly k: CudaTensor;
  readonly v: CudaTensor;
}

export interface CudaAttentionOptions extends OnStream {
  /** A position sees itself and those before. @default true */
  readonly causal?: boolean;
  /** Of the scores. @default 1 / sqrt(width) */
  readonly scale?: number;
}

export interface CudaAttention {
  readonly output: CudaTensor;
  /** f64 [..., positions]: the logarithm of each query's sum, for the backward pass. */
  readonly logSums: CudaTensor;
}

/**
 * softmax(q kᵀ scale) v, tile by tile: no scores are kept. Sums in f32 (f64 for f64), in a fixed
 * order; unlike on the host, nothing is rounded to the dtype before the end.
 *
 * @throws E_SHAPE, E_DTYPE; E_CUDA
 */
export function attention(
  inputs: CudaAttentionInputs,
  options: CudaAttentionOptions = {},
): CudaAttention {
  const { q, k, v } = inputs;
  const plan = planOf("attention", inputs, options);
  const { device, dtype, shape } = q;
  const output = CudaTensor.allocate(device, { dtype, shape });
  const logSums = CudaTensor.allocate(device, { dtype: "f64", shape: shape.slice(0, -1) });
  if (q.size === 0) return { output, logSums };
  launchKernel(device, {
    source: attentionKernels.source({ T: dtype }, plan.forward.constants),
    kernel: "attention",
    grid: plan.forward.grid,
    block: 256,
    sharedBytes: plan.forward.sharedBytes,
    args: [...[q, k, v, output, logSums].map(({ buffer }) => ({ ptr: buffer })), ...plan.numbers],
    stream: options.stream,
  });
  return { output, logSums };
}

/** The gradients of `attention`, each element written once. @throws as attention */
export function attentionBackward(
  gradient: CudaTensor,
  inputs: CudaAttentionInputs & CudaAttention,
  options: CudaAttentionOptions = {},
): CudaAttentionInputs {
  const { q, k, v, output, logSums } = inputs;
  const { device, dtype, shape } = q;
  const { stream } = options;
  const plan = planOf("attentionBackward", inputs, options);
  requireOneDevice("attentionBackward", q, gradient, output, logSums);
  requireOneDType("attentionBackward", q, gradient, output);
  for (const one of [gradient, output]) {
    requireCudaShape("attentionBackward", one, { shape, what: "gradient" });
  }
  const made = (): CudaTensor => CudaTensor.allocate(device, { dtype, shape });
  const out: CudaAttentionInputs = { q: made(), k: made(), v: made() };
  if (q.size === 0) return out;
  const rows = sizeOf(shape.slice(0, -1));
  using dots = device.memory.allocate(8 * rows);
  const { constants, grid, sharedBytes } = plan.backward;
  const source = attentionBackwardKernels.source({ T: dtype }, constants);
  launchKernel(device, {
    source,
    kernel: "attention_dots",
    grid: Math.ceil(rows / 8),
    block: 256,
    args: [
      { ptr: gradient.buffer },
      { ptr: output.buffer },
      { ptr: dots },
      { i64: rows },
      { i32: plan.width },
    ],
    stream,
  });
  const given = [
    ...[q, k, v, gradient, logSums].map(({ buffer }) => ({ ptr: buffer })),
    { ptr: dots },
  ];
  const how = { source, grid, block: 256, sharedBytes, stream };
  launchKernel(device, {
    ...how,
    kernel: "attention_queries",
    args: [...given, { ptr: out.q.buffer }, ...plan.numbers],
  });
  launchKernel(device, {
    ...how,
    kernel: "attention_keys",
    args: [...given, { ptr: out.k.buffer }, { ptr: out.v.buffer }, ...plan.numbers],
  });
  return out;
}

const widthMax = 256;
const batchesMax = 65_535;
// What the oldest supported GPUs, of compute capability 8.0, give a block.
const sharedMax = 160 * 1024;
const tiles = [64, 32, 16] as const;

function planOf(
  op: string,
  { q, k, v }: CudaAttentionInputs,
  { causal = true, scale }: CudaAttentionOptions,
) {
  requireCudaFloat(op, q);
  requireOneDevice(op, q, k, v);
  requireOneDType(op, q, k, v);
  requireCudaShape(op, k, { shape: q.shape, what: "tensor of keys" });
  requireCudaShape(op, v, { shape: q.shape, what: "tensor of values" });
  const [positions, width] = q.shape.slice(-2);
  const batches = sizeOf(q.shape.slice(0, -2));
  if (positions === undefined || width === undefined || width === 0 || width > widthMax) {
    throw shapeError(
      op,
      `${formatShape(q.shape)} is not [..., positions, width up to ${widthMax}]`,
    );
  }
  if (batches > batchesMax) throw shapeError(op, `there are ${batches} matrices, of ${batchesMax}`);
  const sumBytes = q.dtype === "f64" ? 8 : 4;
  const padded = Math.ceil(width / 16) * 16;
  // Matrices of a tile by the width, and one of scores.
  const shaped = (matrices: number) => {
    const bytesOf = (tile: number) =>
      sumBytes * (matrices * tile * (padded + 1) + tile * (tile + 1));
    const tile = tiles.find((one) => bytesOf(one) <= sharedMax) ?? tiles[2];
    return {
      constants: { TILE: tile, WIDTH: padded },
      grid: [Math.ceil(positions / tile), batches] as const,
      sharedBytes: bytesOf(tile),
    };
  };
  return {
    width,
    forward: shaped(3),
    backward: shaped(4),
    numbers: [
      { i64: positions },
      { i32: width },
      { f64: scale ?? 1 / Math.sqrt(width) },
      { i32: causal ? 1 : 0 },
    ],
  };
}
