import { attentionText } from "./attention-text.ts";
import { kernelFamily } from "./family.ts";

/**
 * The gradients of attention, each written by one block without atomics: `attention_dots` is the
 * sum of gradient times output of each query; `attention_queries` walks the keys for a tile of
 * queries, `attention_keys` the queries for a tile of keys. Both make the weights again from the
 * kept logarithms of sums.
 */
export const attentionBackwardKernels = kernelFamily({
  name: "attention-backward",
  parameters: ["T"],
  kernels: ["attention_dots", "attention_queries", "attention_keys"],
  code: `${attentionText}
// A warp to a row.
extern "C" __global__ void attention_dots(const T* gradient, const T* out, double* dots, i64 rows, int width) {
  const i64 row = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= rows) return;
  Math dot = 0;
  for (int at = threadIdx.x % 32; at < width; at += 32) {
    dot += Format<T>::read(gradient[row * width + at]) * Format<T>::read(out[row * width + at]);
  }
  for (int offset = 16; offset > 0; offset /= 2) dot += __shfl_xor_sync(0xffffffffu, dot, offset);
  if (threadIdx.x % 32 == 0) dots[row] = (double)dot;
}

struct Walk {
  const double* log_sums;
  const double* dots;
  i64 positions;
  Math scale;
  int causal;
};

static __device__ __forceinline__ Math weight_of(Math score, i64 query, i64 key, const Walk& walk) {
  return is_seen(query, key, walk.positions, walk.causal) ? exp(score * walk.scale - (Math)walk.log_sums[query]) : (Math)0;
}

static __device__ __forceinline__ Math slope_of(Math weight, Math of_weight, i64 query, const Walk& walk) {
  return query < walk.positions ? weight * (of_weight - (Math)walk.dots[query]) * walk.scale : (Math)0;
}

extern "C" __global__ void __launch_bounds__(256) attention_queries(
    const T* q, const T* k, const T* v, const T* gradient, const double* log_sums, const double* dots, T* q_gradient,
    i64 positions, int width, double scale, int causal) {
  Math* queries = (Math*)shared_memory;
  Math* gradients = queries + TILE * PITCH;
  Math* keys = gradients + TILE * PITCH;
  Math* values = keys + TILE * PITCH;
  Math* slopes = values + TILE * PITCH;
  const i64 batch = (i64)blockIdx.y * positions;
  const i64 start = batch * width;
  const i64 first = (i64)blockIdx.x * TILE;
  const Walk walk = {log_sums + batch, dots + batch, positions, (Math)scale, causal};
  load_tile(queries, q + start, first, positions, width);
  load_tile(gradients, gradient + start, first, positions, width);
  Math sums[STEP][WIDTH / 16];
  for (int i = 0; i < STEP; i++) for (int c = 0; c < WIDTH / 16; c++) sums[i][c] = 0;
  const i64 end = causal && first + TILE < positions ? first + TILE : positions;
  for (i64 key = 0; key < end; key += TILE) {
    __syncthreads();
    load_tile(keys, k + start, key, positions, width);
    load_tile(values, v + start, key, positions, width);
    __syncthreads();
    Math scores[STEP][STEP], of_weights[STEP][STEP];
    multiply_rows(queries, keys, scores);
    multiply_rows(gradients, values, of_weights);
    for (int i = 0; i < STEP; i++) {
      const int row = STEP * row_of() + i;
      for (int j = 0; j < STEP; j++) {
        const int column = column_of() + 16 * j;
        const Math weight = weight_of(scores[i][j], first + row, key + column, walk);
        slopes[row * SCORE_PITCH + column] = slope_of(weight, of_weights[i][j], first + row, walk);
      }
    }
    __syncthreads();
    add_weighted(slopes, keys, sums);
  }
  store_rows(q_gradient + start, sums, first, positions, width);
}

extern "C" __global__ void __launch_bounds__(256) attention_keys(
    const T* q, const T* k, const T* v, const T* gradient, const double* log_sums, const double* dots, T* k_gradient, T* v_gradient,
    i64 positions, int width, double scale, int causal) {
  Math* keys = (Math*)shared_memory;
  Math* values = keys + TILE * PITCH;
  Math* queries = values + TILE * PITCH;
  Math* gradients = queries + TILE * PITCH;
  // Weights, and then slopes: rows are keys here.
  Math* shares = gradients + TILE * PITCH;
  const i64 batch = (i64)blockIdx.y * positions;
  const i64 start = batch * width;
  const i64 first = (i64)blockIdx.x * TILE;
  const Walk walk = {log_sums + batch, dots + batch, positions, (Math)scale, causal};
  load_tile(keys, k + start, first, positions, width);
  load_tile(values, v + start, first, positions, width);
  Math of_keys[STEP][WIDTH / 16], of_values[STEP][WIDTH / 16];
  for (int i = 0; i < STEP; i++) for (int c = 0; c < WIDTH / 16; c++) of_keys[i][c] = of_values[i][c] = 0;
  for (i64 query = causal ? first : 0; query < positions; query += TILE) {
    __syncthreads();
    load_tile(queries, q + start, query, positions, width);
    load_tile(gradients, gradient + start, query, positions, width);
    __syncthreads();
    Math scores[STEP][STEP], of_weights[STEP][STEP];
    multiply_rows(keys, queries, scores);
    multiply_rows(values, gradients, of_weights);
    for (int i = 0; i < STEP; i++) {
      const int row = STEP * row_of() + i;
      for (int j = 0; j < STEP; j++) {
        const int column = column_of() + 16 * j;
        const Math weight = weight_of(scores[i][j], query + column, first + row, walk);
        shares[row * SCORE_PITCH + column] = weight;
        scores[i][j] = slope_of(weight, of_weights[i][j], query + column, walk);
      }
    }
    __syncthreads();
    add_weighted(shares, gradients, of_values);
    __syncthreads();
    for (int i = 0; i < STEP; i++)
      for (int j = 0; j < STEP; j++) shares[(STEP * row_of() + i) * SCORE_PITCH + column_of() + 16 * j] = scores[i][j];
    __syncthreads();
    add_weighted(shares, queries, of_keys);
  }
  store_rows(k_gradient + start, of_keys, first, positions, width);
  store_rows(v_gradient + start, of_values, first, positions, width);
}
`,
});
