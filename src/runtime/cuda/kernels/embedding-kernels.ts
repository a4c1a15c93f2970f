import { kernelFamily } from "./family.ts";

/**
 * Rows of a table by their indices, and the gradient of the table: a block to a row of it adds up,
 * in the order of the indices and in double, what was looked up there.
 */
export const embeddingKernels = kernelFamily({
  name: "embedding",
  parameters: ["T"],
  kernels: ["embedding", "embedding_backward", "indices_outside"],
  code: `
extern "C" __global__ void embedding(const T* table, const int* indices, T* out, i64 columns) {
  const T* from = table + (i64)indices[blockIdx.x] * columns;
  T* to = out + (i64)blockIdx.x * columns;
  const int per_quad = 16 / sizeof(T);
  if (columns % per_quad == 0) {
    for (i64 at = threadIdx.x; at < columns / per_quad; at += blockDim.x) ((Quad*)to)[at] = ((const Quad*)from)[at];
  } else {
    for (i64 at = threadIdx.x; at < columns; at += blockDim.x) to[at] = from[at];
  }
}

// Which of the next 256 indices are this row's is found by all threads, then each adds its columns.
extern "C" __global__ void embedding_backward(const T* gradient, const int* indices, T* out, i64 count, i64 columns) {
  __shared__ int uses[256];
  __shared__ int found;
  const int row = (int)blockIdx.x;
  for (i64 first_column = 0; first_column < columns; first_column += blockDim.x) {
    const i64 column = first_column + threadIdx.x;
    double sum = 0;
    for (i64 first = 0; first < count; first += 256) {
      if (threadIdx.x == 0) found = 0;
      __syncthreads();
      const i64 at = first + threadIdx.x;
      const bool is_use = at < count && indices[at] == row;
      uses[threadIdx.x] = is_use;
      if (is_use) found = 1;
      __syncthreads();
      if (found && column < columns) {
        for (int use = 0; use < 256 && first + use < count; use++) {
          if (uses[use]) sum = plus(sum, (double)Format<T>::read(gradient[(first + use) * columns + column]));
        }
      }
      __syncthreads();
    }
    if (column < columns) out[(i64)row * columns + column] = Format<T>::round(sum, false);
  }
}

extern "C" __global__ void indices_outside(const int* indices, i64 count, i64 rows, u64* found) {
  for (i64 at = first_index(); at < count; at += index_stride()) {
    if (indices[at] < 0 || indices[at] >= rows) {
      atomicAdd(found, 1ull);
      atomicMin(found + 1, (u64)at);
    }
  }
}
`,
});
