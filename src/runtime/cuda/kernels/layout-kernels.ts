import { kernelFamily } from "./family.ts";

/**
 * Elements in another order, by their bytes alone: any order of up to six dimensions, also
 * repeated ones (stride 0), and transposed matrices through tiles, so that reads and writes both
 * run along rows. T is a format of the same width.
 */
export const layoutKernels = kernelFamily({
  name: "layout",
  parameters: ["T"],
  kernels: ["copy_strided", "transpose_tiles"],
  code: `
extern "C" __global__ void copy_strided(
    const T* x, T* out, i64 count,
    i64 n1, i64 n2, i64 n3, i64 n4, i64 n5,
    i64 s0, i64 s1, i64 s2, i64 s3, i64 s4, i64 s5) {
  for (i64 at = first_index(); at < count; at += index_stride()) {
    i64 rest = at;
    i64 from = (rest % n5) * s5; rest /= n5;
    from += (rest % n4) * s4; rest /= n4;
    from += (rest % n3) * s3; rest /= n3;
    from += (rest % n2) * s2; rest /= n2;
    from += (rest % n1) * s1; rest /= n1;
    out[at] = x[from + rest * s0];
  }
}

#define TILE 32
// Blocks of 32 by 8 threads; one more column keeps the threads of a column on different banks.
extern "C" __global__ void transpose_tiles(const T* x, T* out, i64 rows, i64 columns) {
  __shared__ T tile[TILE][TILE + 1];
  const i64 first_column = (i64)blockIdx.x * TILE;
  const i64 first_row = (i64)blockIdx.y * TILE;
  const T* from = x + (i64)blockIdx.z * rows * columns;
  T* to = out + (i64)blockIdx.z * rows * columns;
  for (int row = threadIdx.y; row < TILE; row += 8) {
    const i64 r = first_row + row, c = first_column + threadIdx.x;
    if (r < rows && c < columns) tile[row][threadIdx.x] = from[r * columns + c];
  }
  __syncthreads();
  for (int row = threadIdx.y; row < TILE; row += 8) {
    const i64 r = first_column + row, c = first_row + threadIdx.x;
    if (r < columns && c < rows) to[r * rows + c] = tile[threadIdx.x][row];
  }
}
`,
});
