/**
 * CUDA C that the attention kernels share. A block of 16 by 16 threads works on a tile of TILE by
 * TILE scores; thread (x, y) has scores [STEP y .. , x + 16 ..] and, of results, the rows STEP y and
 * the columns x + 16 of them. WIDTH is the width rounded up to 16; what is beyond it is zero.
 */
export const attentionText = `
typedef Format<T>::Math Math;
#define STEP (TILE / 16)
#define PITCH (WIDTH + 1)
#define SCORE_PITCH (TILE + 1)
const int thread_count = 256;

extern __shared__ unsigned char shared_memory[];

static __device__ __forceinline__ int column_of() { return threadIdx.x % 16; }
static __device__ __forceinline__ int row_of() { return threadIdx.x / 16; }

// Rows [first, first + TILE) of a [positions, width] matrix, as computing type.
static __device__ __forceinline__ void load_tile(Math* tile, const T* from, i64 first, i64 positions, int width) {
  for (int at = threadIdx.x; at < TILE * WIDTH; at += thread_count) {
    const int row = at / WIDTH, column = at % WIDTH;
    const bool inside = first + row < positions && column < width;
    tile[row * PITCH + column] = inside ? Format<T>::read(from[(first + row) * width + column]) : (Math)0;
  }
}

// out[i][j] = sum over d of a[STEP y + i][d] b[x + 16 j][d]
static __device__ __forceinline__ void multiply_rows(const Math* a, const Math* b, Math out[STEP][STEP]) {
  for (int i = 0; i < STEP; i++) for (int j = 0; j < STEP; j++) out[i][j] = 0;
  for (int d = 0; d < WIDTH; d++) {
    Math left[STEP], right[STEP];
#pragma unroll
    for (int i = 0; i < STEP; i++) left[i] = a[(STEP * row_of() + i) * PITCH + d];
#pragma unroll
    for (int j = 0; j < STEP; j++) right[j] = b[(column_of() + 16 * j) * PITCH + d];
#pragma unroll
    for (int i = 0; i < STEP; i++)
#pragma unroll
      for (int j = 0; j < STEP; j++) out[i][j] += left[i] * right[j];
  }
}

// out[i][c] += sum over j of weights[STEP y + i][j] values[j][x + 16 c]
static __device__ __forceinline__ void add_weighted(const Math* weights, const Math* values, Math out[STEP][WIDTH / 16]) {
  for (int j = 0; j < TILE; j++) {
    Math left[STEP];
#pragma unroll
    for (int i = 0; i < STEP; i++) left[i] = weights[(STEP * row_of() + i) * SCORE_PITCH + j];
#pragma unroll
    for (int c = 0; c < WIDTH / 16; c++) {
      const Math right = values[j * PITCH + column_of() + 16 * c];
#pragma unroll
      for (int i = 0; i < STEP; i++) out[i][c] += left[i] * right;
    }
  }
}

static __device__ __forceinline__ void store_rows(T* to, const Math rows[STEP][WIDTH / 16], i64 first, i64 positions, int width) {
  for (int i = 0; i < STEP; i++) {
    const i64 row = first + STEP * row_of() + i;
    if (row >= positions) continue;
    for (int c = 0; c < WIDTH / 16; c++) {
      const int column = column_of() + 16 * c;
      if (column < width) to[row * width + column] = Format<T>::write(rows[i][c]);
    }
  }
}

static __device__ __forceinline__ bool is_seen(i64 query, i64 key, i64 positions, int causal) {
  return key < positions && query < positions && (!causal || key <= query);
}
`;
