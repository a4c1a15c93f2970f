/**
 * CUDA C that all kernels start with: short names of the integer types, the number formats of
 * tensors with the same bits as on the host, and sixteen bytes at a time. `Format<T>` reads an
 * element as the type it is computed in (`Math`: float, double for f64, a 64-bit integer for
 * integers) and rounds once, to nearest with ties to even, when it is written. Every NaN is written
 * as the positive quiet NaN without payload.
 */
export const numberFormats = `
#ifdef __CUDACC__
// A kernel uses a part of these functions.
#pragma nv_diag_suppress 177
#endif
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

struct bf16 { u16 bits; };
struct f16 { u16 bits; };
struct e4m3 { u8 bits; };
struct e5m2 { u8 bits; };
struct i8 { signed char value; };

union DoubleBits { double value; u64 bits; };

static __device__ __forceinline__ double bits_to_double(u64 bits) {
  DoubleBits both;
  both.bits = bits;
  return both.value;
}

static __device__ __forceinline__ u64 double_to_bits(double value) {
  DoubleBits both;
  both.value = value;
  return both.bits;
}

// A short float from the bits of a double, rounded once. What lies below the kept bits of the
// significand only matters as "less, equal or more than half".
template <int MANTISSA, int BIAS, u32 MAX_FINITE, u32 OVERFLOW_BITS, u32 NAN_BITS, int BITS>
static __device__ u32 encode_short(double value, bool saturate) {
  const u64 bits = double_to_bits(value);
  const u32 sign = (u32)(bits >> 63) << (BITS - 1);
  const u64 magnitude = bits & 0x7fffffffffffffffull;
  const u32 too_large = saturate ? MAX_FINITE : OVERFLOW_BITS;
  if (magnitude > 0x7ff0000000000000ull) return NAN_BITS;
  if (magnitude == 0x7ff0000000000000ull) return sign | too_large;
  const u64 smallest_normal = (u64)(1023 - BIAS + 1) << 52;
  u64 fields;
  int shift = 52 - MANTISSA;
  if (magnitude >= smallest_normal) {
    fields = magnitude - ((u64)(1023 - BIAS) << 52);
  } else {
    shift += 1 - BIAS + 1023 - (int)(magnitude >> 52);
    // Even the hidden bit is below half of the smallest value.
    if (shift > 53) return sign;
    fields = (magnitude & 0xfffffffffffffull) | 0x10000000000000ull;
  }
  u64 kept = fields >> shift;
  const u64 lost = fields & ((1ull << shift) - 1);
  const u64 half = 1ull << (shift - 1);
  if (lost > half || (lost == half && (kept & 1))) kept += 1;
  return sign | (kept > MAX_FINITE ? too_large : (u32)kept);
}

template <int MANTISSA, int BIAS, u32 MAX_FINITE, u32 INFINITY_BITS, int BITS>
static __device__ float decode_short(u32 bits) {
  const u32 magnitude = bits & ((1u << (BITS - 1)) - 1);
  const u32 sign = (bits >> (BITS - 1)) << 31;
  if (magnitude > MAX_FINITE) return __uint_as_float(sign | (magnitude == INFINITY_BITS ? 0x7f800000u : 0x7fc00000u));
  if (magnitude >> MANTISSA) return __uint_as_float(sign | ((magnitude << (23 - MANTISSA)) + ((127 - BIAS) << 23)));
  // Below the normal numbers the value is a whole number of the smallest one.
  const float unit = __uint_as_float((u32)(127 + 1 - BIAS - MANTISSA) << 23);
  return __uint_as_float(sign | __float_as_uint((float)magnitude * unit));
}

template <typename T> struct Format;

template <> struct Format<double> {
  typedef double Math;
  static __device__ __forceinline__ double read(double value) { return value; }
  static __device__ __forceinline__ double write(double value) {
    return value == value ? value : bits_to_double(0x7ff8000000000000ull);
  }
  static __device__ __forceinline__ double round(double value, bool saturate) {
    const double largest = bits_to_double(0x7fefffffffffffffull);
    if (saturate && value > largest) return largest;
    if (saturate && value < -largest) return -largest;
    return write(value);
  }
};

template <> struct Format<float> {
  typedef float Math;
  static __device__ __forceinline__ float read(float value) { return value; }
  static __device__ __forceinline__ float write(float value) {
    return value == value ? value : __uint_as_float(0x7fc00000u);
  }
  static __device__ __forceinline__ float round(double value, bool saturate) {
    const double largest = (double)__uint_as_float(0x7f7fffffu);
    if (saturate && value > largest) return (float)largest;
    if (saturate && value < -largest) return (float)-largest;
    return write((float)value);
  }
};

template <> struct Format<bf16> {
  typedef float Math;
  static __device__ __forceinline__ float read(bf16 value) { return __uint_as_float((u32)value.bits << 16); }
  static __device__ __forceinline__ bf16 write(float value) {
    const u32 bits = __float_as_uint(value);
    bf16 out;
    out.bits = value == value ? (u16)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16) : (u16)0x7fc0;
    return out;
  }
  static __device__ bf16 round(double value, bool saturate) {
    bf16 out;
    out.bits = (u16)encode_short<7, 127, 0x7f7fu, 0x7f80u, 0x7fc0u, 16>(value, saturate);
    return out;
  }
};

template <> struct Format<f16> {
  typedef float Math;
#ifdef __CUDA_ARCH__
  static __device__ __forceinline__ float read(f16 value) {
    float out;
    asm("cvt.f32.f16 %0, %1;" : "=f"(out) : "h"(value.bits));
    return out;
  }
  static __device__ __forceinline__ f16 write(float value) {
    f16 out;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(out.bits) : "f"(value));
    if (value != value) out.bits = 0x7e00;
    return out;
  }
#else
  static __device__ float read(f16 value) { return decode_short<10, 15, 0x7bffu, 0x7c00u, 16>(value.bits); }
  static __device__ f16 write(float value) { return round((double)value, false); }
#endif
  static __device__ f16 round(double value, bool saturate) {
    f16 out;
    out.bits = (u16)encode_short<10, 15, 0x7bffu, 0x7c00u, 0x7e00u, 16>(value, saturate);
    return out;
  }
};

template <> struct Format<e4m3> {
  typedef float Math;
  static __device__ float read(e4m3 value) { return decode_short<3, 7, 0x7eu, 0xffffu, 8>(value.bits); }
  static __device__ e4m3 write(float value) { return round((double)value, false); }
  static __device__ e4m3 round(double value, bool saturate) {
    e4m3 out;
    out.bits = (u8)encode_short<3, 7, 0x7eu, 0x7fu, 0x7fu, 8>(value, saturate);
    return out;
  }
};

template <> struct Format<e5m2> {
  typedef float Math;
  static __device__ float read(e5m2 value) { return decode_short<2, 15, 0x7bu, 0x7cu, 8>(value.bits); }
  static __device__ e5m2 write(float value) { return round((double)value, false); }
  static __device__ e5m2 round(double value, bool saturate) {
    e5m2 out;
    out.bits = (u8)encode_short<2, 15, 0x7bu, 0x7cu, 0x7eu, 8>(value, saturate);
    return out;
  }
};

// Adding and taking away this leaves a number below 2^51 rounded to a whole one, ties to even.
static __device__ __forceinline__ i64 whole_within(double value, double lowest, double highest) {
  if (!(value == value)) return 0;
  const double clamped = value > highest ? highest : value < lowest ? lowest : value;
  return (i64)(clamped + 6755399441055744.0 - 6755399441055744.0);
}

static __device__ __forceinline__ i64 clamp_whole(i64 value, i64 lowest, i64 highest) {
  return value > highest ? highest : value < lowest ? lowest : value;
}

template <> struct Format<int> {
  typedef i64 Math;
  static __device__ __forceinline__ i64 read(int value) { return value; }
  static __device__ __forceinline__ int write(i64 value) { return (int)clamp_whole(value, -2147483648ll, 2147483647ll); }
  static __device__ int round(double value, bool) { return (int)whole_within(value, -2147483648.0, 2147483647.0); }
};

template <> struct Format<u8> {
  typedef i64 Math;
  static __device__ __forceinline__ i64 read(u8 value) { return value; }
  static __device__ __forceinline__ u8 write(i64 value) { return (u8)clamp_whole(value, 0, 255); }
  static __device__ u8 round(double value, bool) { return (u8)whole_within(value, 0.0, 255.0); }
};

template <> struct Format<i8> {
  typedef i64 Math;
  static __device__ __forceinline__ i64 read(i8 value) { return value.value; }
  static __device__ __forceinline__ i8 write(i64 value) {
    i8 out;
    out.value = (signed char)clamp_whole(value, -128, 127);
    return out;
  }
  static __device__ i8 round(double value, bool) {
    i8 out;
    out.value = (signed char)whole_within(value, -128.0, 127.0);
    return out;
  }
};

// Sixteen bytes, which a thread reads or writes at once.
struct alignas(16) Quad { u32 x, y, z, w; };

// A read of what no other thread needs: it leaves the first cache to what is read again. Volatile, so
// that reads written one after the other are all under way before the first is waited for.
static __device__ __forceinline__ Quad read_once(const Quad* place) {
#ifdef __CUDA_ARCH__
  Quad out;
  asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(out.x), "=r"(out.y), "=r"(out.z), "=r"(out.w) : "l"(place));
  return out;
#else
  return *place;
#endif
}

template <typename T> union Pack {
  Quad quad;
  T items[16 / sizeof(T)];
};

// Products and sums that the compiler must not fuse: the same bits as on the host.
static __device__ __forceinline__ double times(double a, double b) { return __dmul_rn(a, b); }
static __device__ __forceinline__ double plus(double a, double b) { return __dadd_rn(a, b); }

static __device__ __forceinline__ i64 first_index() { return (i64)blockIdx.x * blockDim.x + threadIdx.x; }
static __device__ __forceinline__ i64 index_stride() { return (i64)gridDim.x * blockDim.x; }
`;
