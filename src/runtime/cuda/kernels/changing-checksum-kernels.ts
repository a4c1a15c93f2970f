import { kernelFamily } from "./family.ts";
import { tileSumsText } from "./tile-sums-text.ts";

/** Independent sets of signs in each check: errors that cancel in one show in another. */
export const changingTrials = 4;

/** Rows of a block: of `changing_sums`, and of `changing_dots`, which reads the weights once for all of them. */
export const sumRows = 16;
export const dotRows = 32;

/**
 * Checks of products c = a b, all bf16, whose factors are new each time: c r against a (b r) for four
 * vectors r of signs at once. Every matrix is read once; tensor cores add the rows up, so that the
 * cost is that of reading. The vectors are the even columns of a second factor of eight columns;
 * b r, which is no bf16 number, goes into two of them, as its nearest and as what that leaves.
 * Columns are multiples of 32. `found` counts as in `checksum-kernels`.
 *
 * Factors may be given in f32: they are rounded and written as they are read, and cost no reading of their own.
 */
export const changingChecksumKernels = kernelFamily({
  name: "changing-checksum",
  kernels: [
    "changing_sums",
    "changing_sums_of_f32",
    "changing_dots",
    "changing_dots_of_f32",
    "changing_judge",
  ],
  code: `
#define TRIALS ${changingTrials}
#define SUM_ROWS ${sumRows}
#define DOT_ROWS ${dotRows}
// Of a block; they take the columns in turn. Many warps on few rows: a block ends soon, and a product
// that waits for its multiprocessor does not wait long.
#ifndef WARPS
#define WARPS 16
#endif

${tileSumsText}
// The signed sums of 16 rows, and of c the sums of the squares of their powers of two. A warp has whole lines of memory
// in flight: its steps follow each other.
template <typename T, bool POWERS> static __device__ __forceinline__ void sum_rows(
    const T* x, bf16* copy, i64 first, i64 rows, i64 columns, const u32* signs, float part[WARPS][SUM_ROWS][TRIALS + 1]) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = lane / 4;
  const i64 top = start_of(first + group, rows, columns), low = start_of(first + group + 8, rows, columns);
  const T *top_x = x + top, *low_x = x + low;
  const int steps = (int)(columns / 32);
  const u32* own = signs + group / 2 * ((steps + 3) / 4 * 4) + lane % 4;
  const int in_flight = 4 / Eight<T>::LOADS;
  Tile sums = {};
  Squares powers = {};
  const auto take = [&](const Eight<T>& t8, const Eight<T>& l8, int step, u32 bits) {
    const Quad t = t8.taken(copy + top + 32 * step), l = l8.taken(copy + low + 32 * step);
    multiply_step(sums, t, l, signs_as_quad(bits));
    if (POWERS) add_squares(powers, powers_of(t), powers_of(l));
  };
  int step = warp * in_flight;
#pragma unroll 1
  for (; step + in_flight <= steps; step += WARPS * in_flight) {
    Eight<T> tops[in_flight], lows[in_flight];
    const u32 bits = own[step / 4 * 4] >> step % 4 * 4;
#pragma unroll
    for (int i = 0; i < in_flight; i++) {
      tops[i].read(top_x + 32 * (step + i));
      lows[i].read(low_x + 32 * (step + i));
    }
    // All reads are under way before the first is used.
    __syncwarp();
#pragma unroll
    for (int i = 0; i < in_flight; i++) take(tops[i], lows[i], step + i, bits >> 4 * i);
  }
  // One warp has the last steps, too few to be in flight together.
#pragma unroll 1
  for (; step < steps; step++) {
    Eight<T> t8, l8;
    t8.read(top_x + 32 * step);
    l8.read(low_x + 32 * step);
    take(t8, l8, step, own[step / 4 * 4] >> step % 4 * 4);
  }
  part[warp][group][lane % 4] = sums.x;
  part[warp][group + 8][lane % 4] = sums.z;
  if (POWERS && has_squares()) {
    part[warp][group][TRIALS] = top_square(powers);
    part[warp][group + 8][TRIALS] = low_square(powers);
  }
}

// Of b: weights[2 t][row] and weights[2 t + 1][row], together the sum with signs t. Of c: sums[row][t], powers[row].
static __device__ __forceinline__ void leave_sums(
    const float part[WARPS][SUM_ROWS][TRIALS + 1], i64 first, i64 rows, bool of_c, bf16* weights, float* sums, float* powers) {
  __syncthreads();
  const int line = threadIdx.x / (TRIALS + 1), trial = threadIdx.x % (TRIALS + 1);
  const i64 row = first + line;
  if (line >= SUM_ROWS || row >= rows || (trial == TRIALS && !of_c)) return;
  double sum = 0;
  for (int warp = 0; warp < WARPS; warp++) sum += part[warp][line][trial];
  if (!of_c) {
    const bf16 nearest = Format<bf16>::write((float)sum);
    weights[2 * trial * rows + row] = nearest;
    weights[(2 * trial + 1) * rows + row] = Format<bf16>::write((float)(sum - (double)Format<bf16>::read(nearest)));
  } else if (trial == TRIALS) {
    powers[row] = (float)sum;
  } else {
    sums[row * TRIALS + trial] = (float)sum;
  }
}

// A block has 16 rows of b or of c.
extern "C" __global__ void __launch_bounds__(32 * WARPS, 32 / WARPS) changing_sums(
    const bf16* b, i64 b_rows, const bf16* c, i64 c_rows, i64 columns, const u32* signs,
    bf16* weights, float* sums, float* powers) {
  __shared__ float part[WARPS][SUM_ROWS][TRIALS + 1];
  const i64 b_tiles = (b_rows + SUM_ROWS - 1) / SUM_ROWS;
  const bool of_c = (i64)blockIdx.x >= b_tiles;
  const i64 rows = of_c ? c_rows : b_rows;
  const i64 first = SUM_ROWS * ((i64)blockIdx.x - (of_c ? b_tiles : 0));
  if (of_c) sum_rows<bf16, true>(c, nullptr, first, rows, columns, signs, part);
  else sum_rows<bf16, false>(b, nullptr, first, rows, columns, signs, part);
  leave_sums(part, first, rows, of_c, weights, sums, powers);
}

extern "C" __global__ void __launch_bounds__(32 * WARPS) changing_sums_of_f32(
    const float* from, bf16* b, i64 rows, i64 columns, const u32* signs, bf16* weights) {
  __shared__ float part[WARPS][SUM_ROWS][TRIALS + 1];
  const i64 first = SUM_ROWS * (i64)blockIdx.x;
  sum_rows<float, false>(from, b, first, rows, columns, signs, part);
  leave_sums(part, first, rows, false, weights, nullptr, nullptr);
}

// What is judged against: what a sum of c may be, and how far off.
struct Judge { const float* sums; const float* powers; double relative; double smallest; u64 check; i64 row_before; u64* found; };

static __device__ __forceinline__ void note_wrong(const Judge& judge, i64 row) {
  atomicAdd(judge.found, 1ull);
  if (atomicMax(judge.found + 2, judge.check + 1) < judge.check + 1) atomicAdd(judge.found + 1, 1ull);
  atomicMin(judge.found + 3, (judge.check << 24) | (u64)(judge.row_before + row));
}

// Written so that NaN, and a limit that is not finite, are wrong.
static __device__ __forceinline__ bool is_wrong(const Judge& judge, i64 row, int trial, double expected, double slack) {
  const double off = (double)judge.sums[row * TRIALS + trial] - expected;
  const double rounding = judge.relative * judge.relative * ((double)judge.powers[row] + judge.smallest);
  return !(off * off <= rounding + slack * slack && rounding + slack * slack < 1e300);
}

// A block has 32 rows of a. With sums of c it judges them at once; without, it leaves expected[0][row][t] and, how far off
// sums in f32 may be, expected[1][row][t].
template <typename T> static __device__ __forceinline__ void dot_rows(
    const T* a, bf16* copy, i64 rows, i64 columns, const bf16* weights, double factor, double loss, float* expected, const Judge& judge) {
  __shared__ float part[WARPS][DOT_ROWS][TRIALS];
  __shared__ float of_rows[WARPS][DOT_ROWS];
  __shared__ float of_weights[WARPS][TRIALS];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = lane / 4;
  const i64 first = DOT_ROWS * (i64)blockIdx.x;
  i64 lines[4];
#pragma unroll
  for (int i = 0; i < 4; i++) lines[i] = start_of(first + group + 8 * i, rows, columns);
  const Quad* by = (const Quad*)(weights + group * columns) + lane % 4;
  const int steps = (int)(columns / 32);
  const int in_flight = 2 / Eight<T>::LOADS;
  Tile upper = {}, lower = {}, weight_squares = {};
  Squares upper_squares = {}, lower_squares = {};
  const auto take = [&](const Eight<T>* held, Quad weight, int step) {
    Quad line[4];
#pragma unroll
    for (int at = 0; at < 4; at++) line[at] = held[at].taken(copy + lines[at] + 32 * step);
    multiply_step(upper, line[0], line[1], weight);
    multiply_step(lower, line[2], line[3], weight);
    add_squares(upper_squares, line[0], line[1]);
    add_squares(lower_squares, line[2], line[3]);
    multiply_step(weight_squares, weight, weight, weight);
  };
  int step = warp * in_flight;
#pragma unroll 1
  for (; step + in_flight <= steps; step += WARPS * in_flight) {
    Eight<T> held[in_flight][4];
    Quad weight[in_flight];
#pragma unroll
    for (int i = 0; i < in_flight; i++) {
      weight[i] = read_shared(by + 4 * (step + i));
#pragma unroll
      for (int line = 0; line < 4; line++) held[i][line].read(a + lines[line] + 32 * (step + i));
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < in_flight; i++) take(held[i], weight[i], step + i);
  }
#pragma unroll 1
  for (; step < steps; step++) {
    Eight<T> held[4];
#pragma unroll
    for (int line = 0; line < 4; line++) held[line].read(a + lines[line] + 32 * step);
    take(held, read_shared(by + 4 * step), step);
  }
  // Columns 2 t and 2 t + 1 are the two parts of the weights of signs t.
  part[warp][group][lane % 4] = upper.x + upper.y;
  part[warp][group + 8][lane % 4] = upper.z + upper.w;
  part[warp][group + 16][lane % 4] = lower.x + lower.y;
  part[warp][group + 24][lane % 4] = lower.z + lower.w;
  if (has_squares()) {
    of_rows[warp][group] = top_square(upper_squares);
    of_rows[warp][group + 8] = low_square(upper_squares);
    of_rows[warp][group + 16] = top_square(lower_squares);
    of_rows[warp][group + 24] = low_square(lower_squares);
    if (group % 2 == 0) of_weights[warp][group / 2] = weight_squares.x;
  }
  __syncthreads();
  if (threadIdx.x >= DOT_ROWS * TRIALS) return;
  const int line = threadIdx.x / TRIALS, trial = threadIdx.x % TRIALS;
  const i64 row = first + line;
  double sum = 0, row_square = 0, weight_square = 0;
  for (int slice = 0; slice < WARPS; slice++) {
    sum += part[slice][line][trial];
    row_square += of_rows[slice][line];
    weight_square += of_weights[slice][trial];
  }
  sum *= factor;
  const double slack = loss * sqrt(row_square * weight_square);
  const bool there = row < rows;
  if (judge.sums == nullptr) {
    if (!there) return;
    expected[row * TRIALS + trial] = (float)sum;
    expected[(rows + row) * TRIALS + trial] = (float)slack;
    return;
  }
  int wrong = there && is_wrong(judge, row, trial, sum, slack);
  wrong |= __shfl_xor_sync(0xffffffffu, wrong, 1);
  wrong |= __shfl_xor_sync(0xffffffffu, wrong, 2);
  if (wrong && trial == 0) note_wrong(judge, row);
}

#define DOTS(T)                                                                                                        \\
  (const T* a, bf16* copy, i64 rows, i64 columns, const bf16* weights, double factor, double loss, float* expected,    \\
   const float* sums, const float* powers, double relative, double smallest, u64 check, i64 row_before, u64* found) {  \\
    const Judge judge = {sums, powers, relative, smallest, check, row_before, found};                                  \\
    dot_rows<T>(a, copy, rows, columns, weights, factor, loss, expected, judge);                                       \\
  }
extern "C" __global__ void __launch_bounds__(32 * WARPS) changing_dots DOTS(bf16)
extern "C" __global__ void __launch_bounds__(32 * WARPS) changing_dots_of_f32 DOTS(float)

extern "C" __global__ void __launch_bounds__(256) changing_judge(
    const float* expected, const float* sums, const float* powers, i64 rows, double relative, double smallest,
    u64 check, i64 row_before, u64* found) {
  const Judge judge = {sums, powers, relative, smallest, check, row_before, found};
  for (i64 row = first_index(); row < rows; row += index_stride()) {
    bool wrong = false;
    for (int trial = 0; trial < TRIALS; trial++) {
      const i64 at = row * TRIALS + trial;
      wrong |= is_wrong(judge, row, trial, expected[at], expected[rows * TRIALS + at]);
    }
    if (wrong) note_wrong(judge, row);
  }
}
`,
});
