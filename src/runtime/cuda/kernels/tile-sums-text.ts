/**
 * CUDA C after `number-formats`: sums of rows of bf16 by tensor cores, sixteen rows and 32 columns at a
 * step; rows may be given in f32, then they are rounded and written on the way.
 */
export const tileSumsText = `
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

// Sums of squares: the diagonals of the rows times themselves. The rest of these tiles is of no use, and
// what is not finite in a row stays out of the others' squares.
struct Squares { Tile top, low; };

static __device__ __forceinline__ void add_squares(Squares& d, Quad top, Quad low) {
  multiply_step(d.top, top, low, top);
  multiply_step(d.low, top, low, low);
}

static __device__ __forceinline__ bool has_squares() { return threadIdx.x % 4 == threadIdx.x % 32 / 8; }
static __device__ __forceinline__ float top_square(const Squares& d) { return threadIdx.x / 4 % 2 == 0 ? d.top.x : d.top.y; }
static __device__ __forceinline__ float low_square(const Squares& d) { return threadIdx.x / 4 % 2 == 0 ? d.low.z : d.low.w; }

// The powers of two at or below the numbers: rounding is off by at most 2^-8 of these.
static __device__ __forceinline__ Quad powers_of(Quad x) {
  const u32 exponents = 0x7f807f80u;
  return {x.x & exponents, x.y & exponents, x.z & exponents, x.w & exponents};
}

// Eight signs as numbers 1 and -1, in the even columns of the second factor. Odd ones stay empty: so a
// thread has signs t where it has the parts 2 t and 2 t + 1 of b r. The signs are bits 0 to 3 and 16 to 19.
static __device__ __forceinline__ Quad signs_as_quad(u32 bits) {
  const bool even = threadIdx.x / 4 % 2 == 0;
  const u32 ones = even ? 0x3f803f80u : 0, places = even ? 0x80008000u : 0;
  return {ones | (bits << 15 & places), ones | (bits << 14 & places), ones | (bits << 13 & places), ones | (bits << 12 & places)};
}

// Reads that are all under way before a '__syncwarp' behind them: of what no other thread needs, and of what
// other blocks read too; of the former, the other half of a line of memory is wanted next, so it is brought along.
// Not through the read-only path, whose reads the assembler puts off until they are needed.
#ifdef __CUDA_ARCH__
#define READ_QUAD(CACHING)                                                                                          \\
  Quad out;                                                                                                         \\
  asm volatile("ld.global" CACHING ".v4.u32 {%0, %1, %2, %3}, [%4];"                                                \\
               : "=r"(out.x), "=r"(out.y), "=r"(out.z), "=r"(out.w) : "l"(place) : "memory");                       \\
  return out;
#else
#define READ_QUAD(CACHING) return *place;
#endif
static __device__ __forceinline__ Quad read_row(const Quad* place) { READ_QUAD(".L1::no_allocate.L2::128B") }
static __device__ __forceinline__ Quad read_shared(const Quad* place) { READ_QUAD("") }

// Eight elements of a row, as they lie in memory.
template <typename T> struct Eight;

template <> struct Eight<bf16> {
  enum { LOADS = 1 };
  Quad all;
  __device__ __forceinline__ void read(const bf16* place) { all = read_row((const Quad*)place); }
  __device__ __forceinline__ Quad taken(bf16*) const { return all; }
};

// The compiler would take sixteen bytes apart that come from several places.
static __device__ __forceinline__ void write_quad(Quad* place, Quad x) {
#ifdef __CUDA_ARCH__
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(place), "r"(x.x), "r"(x.y), "r"(x.z), "r"(x.w) : "memory");
#else
  *place = x;
#endif
}

static __device__ __forceinline__ u32 two_rounded(u32 first, u32 second) {
  const u32 low = Format<bf16>::write(__uint_as_float(first)).bits;
  return low | (u32)Format<bf16>::write(__uint_as_float(second)).bits << 16;
}

template <> struct Eight<float> {
  enum { LOADS = 2 };
  Quad first, second;
  // Both halves of 32 bytes: the second comes from the first cache.
  __device__ __forceinline__ void read(const float* place) {
    first = read_shared((const Quad*)place);
    second = read_shared((const Quad*)place + 1);
  }
  __device__ __forceinline__ Quad taken(bf16* copy) const {
    const Quad out = {two_rounded(first.x, first.y), two_rounded(first.z, first.w),
                      two_rounded(second.x, second.y), two_rounded(second.z, second.w)};
    write_quad((Quad*)copy, out);
    return out;
  }
};

// Rows beyond the last are read as the last and thrown away; who writes them writes the same.
static __device__ __forceinline__ i64 start_of(i64 row, i64 rows, i64 columns) {
  return (row < rows ? row : rows - 1) * columns + threadIdx.x % 4 * 8;
}
`;
