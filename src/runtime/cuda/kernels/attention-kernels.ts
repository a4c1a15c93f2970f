import { attentionText } from "./attention-text.ts";
import { kernelFamily } from "./family.ts";

/**
 * softmax(q kᵀ scale) v without ever holding all scores: a block keeps a tile of queries, walks the
 * keys tile by tile and corrects what it has by the largest score so far. `log_sums` keeps, for
 * each query, the logarithm of the sum of exponentials, from which the backward pass makes the
 * weights again. Sums are in the computing type, in a fixed order.
 */
export const attentionKernels = kernelFamily({
  name: "attention",
  parameters: ["T"],
  kernels: ["attention"],
  code: `${attentionText}
extern "C" __global__ void __launch_bounds__(256) attention(
    const T* q, const T* k, const T* v, T* out, double* log_sums, i64 positions, int width, double scale, int causal) {
  Math* queries = (Math*)shared_memory;
  Math* keys = queries + TILE * PITCH;
  Math* values = keys + TILE * PITCH;
  Math* weights = values + TILE * PITCH;
  const i64 start = (i64)blockIdx.y * positions * width;
  const i64 first = (i64)blockIdx.x * TILE;
  const Math lowest = -(Math)1 / (Math)0;
  load_tile(queries, q + start, first, positions, width);
  Math sums[STEP][WIDTH / 16], highest[STEP], total[STEP];
  for (int i = 0; i < STEP; i++) {
    highest[i] = lowest;
    total[i] = 0;
    for (int c = 0; c < WIDTH / 16; c++) sums[i][c] = 0;
  }
  const i64 end = causal && first + TILE < positions ? first + TILE : positions;
  for (i64 key = 0; key < end; key += TILE) {
    __syncthreads();
    load_tile(keys, k + start, key, positions, width);
    load_tile(values, v + start, key, positions, width);
    __syncthreads();
    Math scores[STEP][STEP];
    multiply_rows(queries, keys, scores);
    for (int i = 0; i < STEP; i++) {
      const i64 query = first + STEP * row_of() + i;
      Math most = highest[i];
      for (int j = 0; j < STEP; j++) {
        const bool seen = is_seen(query, key + column_of() + 16 * j, positions, causal);
        scores[i][j] = seen ? scores[i][j] * (Math)scale : lowest;
        // Not with max(): a NaN must stay one.
        most = scores[i][j] > most ? scores[i][j] : most;
      }
      for (int offset = 8; offset > 0; offset /= 2) {
        const Math other = __shfl_xor_sync(0xffffffffu, most, offset);
        most = other > most ? other : most;
      }
      const Math correction = most == lowest ? (Math)1 : exp(highest[i] - most);
      Math added = 0;
      for (int j = 0; j < STEP; j++) {
        const Math weight = scores[i][j] == lowest ? (Math)0 : exp(scores[i][j] - most);
        weights[(STEP * row_of() + i) * SCORE_PITCH + column_of() + 16 * j] = weight;
        added += weight;
      }
      for (int offset = 8; offset > 0; offset /= 2) added += __shfl_xor_sync(0xffffffffu, added, offset);
      highest[i] = most;
      total[i] = total[i] * correction + added;
      for (int c = 0; c < WIDTH / 16; c++) sums[i][c] *= correction;
    }
    __syncthreads();
    add_weighted(weights, values, sums);
  }
  for (int i = 0; i < STEP; i++) {
    const Math share = 1 / total[i];
    for (int c = 0; c < WIDTH / 16; c++) sums[i][c] *= share;
    const i64 query = first + STEP * row_of() + i;
    if (column_of() == 0 && query < positions) {
      log_sums[(i64)blockIdx.y * positions + query] = (double)highest[i] + (double)log(total[i]);
    }
  }
  store_rows(out + start, sums, first, positions, width);
}
`,
});
