import { allocateRaw, bytesOf } from "../../tensor/dtype/index.ts";
import { formatShape, shapeError } from "../../tensor/shape.ts";
import { Tensor } from "../../tensor/tensor.ts";
import { launchKernel } from "../kernels/launch.ts";
import { tileKernels } from "../kernels/tile-kernels.ts";
import type { OnStream } from "../tensor/cuda-array.ts";
import { cudaDtypeBytes } from "../tensor/cuda-dtype.ts";
import type { CudaTensor } from "../tensor/cuda-tensor.ts";
import { carrierOf } from "../tensor/permute.ts";
import { requireOneDevice, requireOneDType } from "./operands.ts";

export interface TileMismatch {
  /** Elements whose bits differ. */
  readonly wrong: number;
  readonly first: {
    readonly row: number;
    readonly column: number;
    readonly expected: number;
    readonly found: number;
  };
}

/**
 * Whether element [i, j] of a matrix is tile[i mod its rows, j mod its columns], bit by bit:
 * undefined when all are. Waits for the GPU.
 *
 * @throws E_SHAPE, E_DTYPE; E_CUDA
 */
export function compareWithTile(
  matrix: CudaTensor,
  tile: CudaTensor,
  on: OnStream = {},
): TileMismatch | undefined {
  const device = requireOneDevice("compareWithTile", matrix, tile);
  requireOneDType("compareWithTile", matrix, tile);
  const [rows, columns] = matrixOf(matrix);
  const [tileRows, tileColumns] = matrixOf(tile);
  const { stream = device.stream } = on;
  using found = device.memory.allocate(16);
  stream.upload({ buffer: found }, new Uint8Array(16).fill(0xff, 8));
  launchKernel(device, {
    source: tileKernels.source({ T: carrierOf(matrix.dtype) }),
    kernel: "compare_tile",
    grid: Math.max(1, Math.min(rows, device.properties.multiprocessors * 16)),
    block: 256,
    args: [
      { ptr: matrix.buffer },
      { ptr: tile.buffer },
      ...[matrix.size, columns, tileRows, tileColumns].map((i64) => ({ i64 })),
      { ptr: found },
    ],
    stream,
  });
  const answer = new Uint8Array(16);
  stream.download({ buffer: found }, answer);
  const view = new DataView(answer.buffer);
  const wrong = Number(view.getBigUint64(0, true));
  if (wrong === 0) return undefined;
  const place = Number(view.getBigUint64(8, true));
  const [row, column] = [Math.floor(place / columns), place % columns];
  const inTile = (row % tileRows) * tileColumns + (column % tileColumns);
  return {
    wrong,
    first: {
      row,
      column,
      expected: elementAt(tile, inTile, { stream }),
      found: elementAt(matrix, place, { stream }),
    },
  };
}

function elementAt(x: CudaTensor, place: number, { stream = x.device.stream }: OnStream): number {
  const width = cudaDtypeBytes(x.dtype);
  const dtype = x.dtype === "i8" ? "u8" : x.dtype;
  const raw = allocateRaw(dtype, 1);
  stream.download({ buffer: x.buffer, offsetBytes: place * width }, bytesOf(raw));
  const value = Tensor.over(raw, { dtype, shape: [] }).item();
  return x.dtype === "i8" && value > 127 ? value - 256 : value;
}

function matrixOf({ shape }: CudaTensor): readonly [number, number] {
  const [rows, columns] = shape;
  if (rows === undefined || columns === undefined || shape.length !== 2 || rows * columns === 0) {
    throw shapeError("compareWithTile", `${formatShape(shape)} is no matrix`);
  }
  return [rows, columns];
}
