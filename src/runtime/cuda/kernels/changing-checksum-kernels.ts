import { kernelFamily } from "./family.ts";

/** Independent sets of signs in each check: errors that cancel in one show in another. */
export const changingTrials = 4;

/**
 * Checks of products c = a b, all bf16, whose factors are new each time: c r against a (b r) for four
 * vectors r of signs at once. Every matrix is read once; tensor cores add the rows up, so that the
 * cost is that of reading. The vectors are the even columns of a second factor of eight columns;
 * b r, which is no bf16 number, goes into two of them, as its nearest and as what that leaves.
 * Columns are multiples of 32. `found` counts as in `checksum-kernels`.
 */
export const changingChecksumKernels = kernelFamily({
  name: "changing-checksum",
  kernels: ["changing_sums", "changing_dots", "changing_judge"],
  code: `
#define TRIALS ${changingTrials}
// Warps of a block; they take the steps of 32 columns in turn.
#define SLICES 8

struct Tile { float x, y, z, w; };

// d += a b, of 16 x 16 by 16 x 8, each thread of the warp with its part as the instruction has it:
// of a, rows lane / 4 and that + 8 in turn, columns 2 (lane % 4) and that + 8; of b, the same columns
// as rows, of column lane / 4; of d, rows as of a, columns 2 (lane % 4) and the next.
static __device__ __forceinline__ void multiply_add(Tile& d, u32 a0, u32 a1, u32 a2, u32 a3, u32 b0, u32 b1) {
#ifdef __CUDA_ARCH__
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d.x), "+f"(d.y), "+f"(d.z), "+f"(d.w)
               : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
#else
  const int lane = threadIdx.x % 32;
  const int row = lane / 4, column = 2 * (lane % 4);
  for (int part = 0; part < 4; part++) {
    const u32 top[2] = {__shfl_sync(0xffffffffu, a0, 4 * row + part), __shfl_sync(0xffffffffu, a2, 4 * row + part)};
    const u32 low[2] = {__shfl_sync(0xffffffffu, a1, 4 * row + part), __shfl_sync(0xffffffffu, a3, 4 * row + part)};
    const u32 one[2] = {__shfl_sync(0xffffffffu, b0, 4 * column + part), __shfl_sync(0xffffffffu, b1, 4 * column + part)};
    const u32 two[2] = {__shfl_sync(0xffffffffu, b0, 4 * column + 4 + part), __shfl_sync(0xffffffffu, b1, 4 * column + 4 + part)};
    for (int half = 0; half < 2; half++) {
      for (int item = 0; item < 2; item++) {
        const int shift = item == 0 ? 16 : 0;
        const u32 mask = 0xffff0000u;
        const float t = __uint_as_float(top[half] << shift & mask), l = __uint_as_float(low[half] << shift & mask);
        const float o = __uint_as_float(one[half] << shift & mask), w = __uint_as_float(two[half] << shift & mask);
        d.x += t * o;
        d.y += t * w;
        d.z += l * o;
        d.w += l * w;
      }
    }
  }
#endif
}

// Sixteen bytes of two rows each: 16 x 32 elements by as many of the second factor. The places of
// columns within a step are not those of the instruction, but the same in both factors.
static __device__ __forceinline__ void multiply_step(Tile& d, Quad top, Quad low, Quad by) {
  multiply_add(d, top.x, low.x, top.y, low.y, by.x, by.y);
  multiply_add(d, top.z, low.z, top.w, low.w, by.z, by.w);
}

// Eight signs as numbers 1 and -1.
static __device__ __forceinline__ Quad signs_as_quad(u32 bits) {
  Quad out;
  out.x = 0x3f803f80u | (bits & 1) << 15 | (bits >> 1 & 1) << 31;
  out.y = 0x3f803f80u | (bits >> 2 & 1) << 15 | (bits >> 3 & 1) << 31;
  out.z = 0x3f803f80u | (bits >> 4 & 1) << 15 | (bits >> 5 & 1) << 31;
  out.w = 0x3f803f80u | (bits >> 6 & 1) << 15 | (bits >> 7 & 1) << 31;
  return out;
}

static __device__ __forceinline__ const Quad* row_quads(const bf16* x, i64 row, i64 rows, i64 columns) {
  // Rows beyond the last are read as the last and thrown away.
  const i64 there = row < rows ? row : rows - 1;
  return (const Quad*)(x + there * columns) + threadIdx.x % 4;
}

// Odd columns of the second factor stay empty: so a thread has signs t where it has the parts 2 t and 2 t + 1 of b r.
template <bool SQUARES> static __device__ __forceinline__ void add_step(
    Quad top, Quad low, u32 bits, Tile& sums, Tile& of_top, Tile& of_low) {
  const Quad nothing = {0, 0, 0, 0};
  multiply_step(sums, top, low, threadIdx.x / 4 % 2 == 0 ? signs_as_quad(bits) : nothing);
  if (SQUARES) {
    multiply_step(of_top, top, low, top);
    multiply_step(of_low, top, low, low);
  }
}

// The signed sums of 16 rows, and of c the sums of their squares: the diagonal of the rows times themselves.
template <bool SQUARES> static __device__ __forceinline__ void sum_rows(
    const bf16* x, i64 first, i64 rows, i64 columns, const u8* signs, float part[SLICES][16][TRIALS + 1]) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = lane / 4;
  const Quad* top = row_quads(x, first + group, rows, columns);
  const Quad* low = row_quads(x, first + group + 8, rows, columns);
  const u8* own = signs + (i64)(group / 2) * (columns / 8) + lane % 4;
  const i64 steps = columns / 32;
  Tile sums = {0, 0, 0, 0}, of_top = {0, 0, 0, 0}, of_low = {0, 0, 0, 0};
#define IN_FLIGHT 4
  i64 step = warp;
  for (; step + SLICES * (IN_FLIGHT - 1) < steps; step += SLICES * IN_FLIGHT) {
    Quad tops[IN_FLIGHT], lows[IN_FLIGHT];
    u32 bits[IN_FLIGHT];
#pragma unroll
    for (int i = 0; i < IN_FLIGHT; i++) {
      tops[i] = read_once(top + 4 * (step + SLICES * i));
      lows[i] = read_once(low + 4 * (step + SLICES * i));
      bits[i] = own[4 * (step + SLICES * i)];
    }
#pragma unroll
    for (int i = 0; i < IN_FLIGHT; i++) add_step<SQUARES>(tops[i], lows[i], bits[i], sums, of_top, of_low);
  }
  for (; step < steps; step += SLICES) {
    add_step<SQUARES>(read_once(top + 4 * step), read_once(low + 4 * step), own[4 * step], sums, of_top, of_low);
  }
#undef IN_FLIGHT
  part[warp][group][lane % 4] = sums.x;
  part[warp][group + 8][lane % 4] = sums.z;
  if (SQUARES && lane % 4 == group / 2) {
    part[warp][group][TRIALS] = group % 2 == 0 ? of_top.x : of_top.y;
    part[warp][group + 8][TRIALS] = group % 2 == 0 ? of_low.z : of_low.w;
  }
}

// A block has 16 rows of b or of c. Of b: weights[2 t][row] and weights[2 t + 1][row], together the sum
// with signs t. Of c: sums[row][t], squares[row].
extern "C" __global__ void __launch_bounds__(256) changing_sums(
    const bf16* b, i64 b_rows, const bf16* c, i64 c_rows, i64 columns, const u8* signs,
    bf16* weights, float* sums, float* squares) {
  __shared__ float part[SLICES][16][TRIALS + 1];
  const i64 b_tiles = (b_rows + 15) / 16;
  const bool of_c = (i64)blockIdx.x >= b_tiles;
  const i64 rows = of_c ? c_rows : b_rows;
  const i64 first = 16 * ((i64)blockIdx.x - (of_c ? b_tiles : 0));
  if (of_c) sum_rows<true>(c, first, rows, columns, signs, part);
  else sum_rows<false>(b, first, rows, columns, signs, part);
  __syncthreads();
  const int line = threadIdx.x / (TRIALS + 1), trial = threadIdx.x % (TRIALS + 1);
  const i64 row = first + line;
  if (line >= 16 || row >= rows || (trial == TRIALS && !of_c)) return;
  double sum = 0;
  for (int warp = 0; warp < SLICES; warp++) sum += part[warp][line][trial];
  if (!of_c) {
    const bf16 nearest = Format<bf16>::write((float)sum);
    weights[2 * trial * b_rows + row] = nearest;
    weights[(2 * trial + 1) * b_rows + row] = Format<bf16>::write((float)(sum - (double)Format<bf16>::read(nearest)));
  } else if (trial == TRIALS) {
    squares[row] = (float)sum;
  } else {
    sums[row * TRIALS + trial] = (float)sum;
  }
}

static __device__ __forceinline__ void note_wrong(u64* found, u64 check, i64 row) {
  atomicAdd(found, 1ull);
  if (atomicMax(found + 2, check + 1) < check + 1) atomicAdd(found + 1, 1ull);
  atomicMin(found + 3, (check << 24) | (u64)row);
}

// Written so that NaN, and a limit that is not finite, are wrong.
static __device__ __forceinline__ bool is_wrong(double found, double expected, double relative, float squares) {
  const double off = found - expected, limit = relative * sqrt((double)squares);
  return !((off < 0 ? -off : off) <= limit && limit < 1e300);
}

// A block has 32 rows of a. With sums it judges them at once; without, it leaves expected[row][t].
extern "C" __global__ void __launch_bounds__(256) changing_dots(
    const bf16* a, i64 rows, i64 columns, const bf16* weights, double factor, float* expected,
    const float* sums, const float* squares, double relative, u64 check, u64* found) {
  __shared__ float part[SLICES][32][TRIALS];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = lane / 4;
  const i64 first = 32 * (i64)blockIdx.x;
  const Quad* lines[4];
#pragma unroll
  for (int i = 0; i < 4; i++) lines[i] = row_quads(a, first + group + 8 * i, rows, columns);
  const Quad* by = (const Quad*)(weights + group * columns) + lane % 4;
  const i64 steps = columns / 32;
  Tile upper = {0, 0, 0, 0}, lower = {0, 0, 0, 0};
#define IN_FLIGHT 2
  i64 step = warp;
  for (; step + SLICES * (IN_FLIGHT - 1) < steps; step += SLICES * IN_FLIGHT) {
    Quad held[IN_FLIGHT][4], weight[IN_FLIGHT];
#pragma unroll
    for (int i = 0; i < IN_FLIGHT; i++) {
#pragma unroll
      for (int line = 0; line < 4; line++) held[i][line] = read_once(lines[line] + 4 * (step + SLICES * i));
      weight[i] = by[4 * (step + SLICES * i)];
    }
#pragma unroll
    for (int i = 0; i < IN_FLIGHT; i++) {
      multiply_step(upper, held[i][0], held[i][1], weight[i]);
      multiply_step(lower, held[i][2], held[i][3], weight[i]);
    }
  }
  for (; step < steps; step += SLICES) {
    multiply_step(upper, read_once(lines[0] + 4 * step), read_once(lines[1] + 4 * step), by[4 * step]);
    multiply_step(lower, read_once(lines[2] + 4 * step), read_once(lines[3] + 4 * step), by[4 * step]);
  }
#undef IN_FLIGHT
  // Columns 2 t and 2 t + 1 are the two parts of the weights of signs t.
  part[warp][group][lane % 4] = upper.x + upper.y;
  part[warp][group + 8][lane % 4] = upper.z + upper.w;
  part[warp][group + 16][lane % 4] = lower.x + lower.y;
  part[warp][group + 24][lane % 4] = lower.z + lower.w;
  __syncthreads();
  if (threadIdx.x >= 32 * TRIALS) return;
  const int line = threadIdx.x / TRIALS, trial = threadIdx.x % TRIALS;
  const i64 row = first + line;
  double sum = 0;
  for (int slice = 0; slice < SLICES; slice++) sum += part[slice][line][trial];
  sum *= factor;
  const bool there = row < rows;
  if (sums == nullptr) {
    if (there) expected[row * TRIALS + trial] = (float)sum;
    return;
  }
  int wrong = there && is_wrong(sums[there ? row * TRIALS + trial : 0], sum, relative, squares[there ? row : 0]);
  wrong |= __shfl_xor_sync(0xffffffffu, wrong, 1);
  wrong |= __shfl_xor_sync(0xffffffffu, wrong, 2);
  if (wrong && trial == 0) note_wrong(found, check, row);
}

extern "C" __global__ void __launch_bounds__(256) changing_judge(
    const float* expected, const float* sums, const float* squares, i64 rows, double relative, u64 check, u64* found) {
  for (i64 row = first_index(); row < rows; row += index_stride()) {
    bool wrong = false;
    for (int trial = 0; trial < TRIALS; trial++) {
      wrong |= is_wrong(sums[row * TRIALS + trial], expected[row * TRIALS + trial], relative, squares[row]);
    }
    if (wrong) note_wrong(found, check, row);
  }
}
`,
});
