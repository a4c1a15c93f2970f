import type { KernelSource } from "../../../../../runtime/cuda/index.ts";
import { gridFor, launchKernel } from "../../../../../runtime/cuda/kernels/launch.ts";
import {
  type CudaTensor,
  cudaDtypeBytes,
  toDevice,
} from "../../../../../runtime/cuda/tensor/index.ts";
import { allocateRaw, bytesOf } from "../../../../../runtime/tensor/dtype/index.ts";
import { dtypeInfo, Tensor } from "../../../../../runtime/tensor/index.ts";
import type { Mismatch } from "../engine.ts";

/** Integer arithmetic alone: no number is read as a floating-point one. */
const compareTileSource: KernelSource = {
  name: "compare-tile",
  kernels: ["compare_1", "compare_2", "compare_4", "compare_8"],
  code: `
typedef unsigned long long u64;
typedef long long i64;

template <typename Word>
static __device__ void compare(
    const Word* matrix, const Word* tile, i64 size, i64 columns, i64 tile_rows, i64 tile_columns, u64* found) {
  const i64 stride = (i64)gridDim.x * blockDim.x;
  for (i64 at = (i64)blockIdx.x * blockDim.x + threadIdx.x; at < size; at += stride) {
    const i64 row = at / columns;
    const i64 column = at - row * columns;
    if (matrix[at] == tile[(row % tile_rows) * tile_columns + column % tile_columns]) continue;
    atomicAdd(found, 1ull);
    atomicMin(found + 1, (u64)at);
  }
}

#define COMPARE(BYTES, WORD) \\
  extern "C" __global__ void compare_##BYTES( \\
      const WORD* matrix, const WORD* tile, i64 size, i64 columns, i64 tile_rows, i64 tile_columns, u64* found) { \\
    compare<WORD>(matrix, tile, size, columns, tile_rows, tile_columns, found); \\
  }
COMPARE(1, unsigned char)
COMPARE(2, unsigned short)
COMPARE(4, unsigned int)
COMPARE(8, u64)
`,
};

/** As `compareWithTile`, on the GPU: every element of the matrix, bit by bit. Waits for the answer. */
export function compareTileOnGpu(matrix: CudaTensor, tile: Tensor): Mismatch | undefined {
  const { device, size, dtype } = matrix;
  const [, columns = 1] = matrix.shape;
  const [tileRows = 1, tileColumns = 1] = tile.shape;
  using golden = toDevice(tile, device);
  using found = device.memory.allocate(16, { purpose: "a comparison" });
  device.stream.upload({ buffer: found }, new Uint8Array(16).fill(0xff, 8));
  launchKernel(device, {
    source: compareTileSource,
    kernel: `compare_${cudaDtypeBytes(dtype)}`,
    grid: gridFor(device, { items: size, perThread: 8 }),
    block: 256,
    args: [
      { ptr: matrix.buffer },
      { ptr: golden.buffer },
      { i64: size },
      { i64: columns },
      { i64: tileRows },
      { i64: tileColumns },
      { ptr: found },
    ],
  });
  const answer = new Uint8Array(16);
  device.stream.download({ buffer: found }, answer);
  const view = new DataView(answer.buffer);
  const wrong = Number(view.getBigUint64(0, true));
  if (wrong === 0) return undefined;
  const at = Number(view.getBigUint64(8, true));
  const [row, column] = [Math.floor(at / columns), at % columns];
  const expected = tile.at(row % tileRows, column % tileColumns);
  const value = elementOf(matrix, at, tile).item();
  return { wrong, first: `[${row}, ${column}]: ${expected} expected, ${value} found` };
}

/** One element of a matrix, in the tile's format. */
function elementOf({ device, buffer }: CudaTensor, at: number, { dtype }: Tensor): Tensor {
  const raw = allocateRaw(dtype, 1);
  const offsetBytes = at * dtypeInfo(dtype).bytes;
  device.stream.download({ buffer, offsetBytes }, bytesOf(raw));
  return Tensor.over(raw, { dtype, shape: [1] });
}
