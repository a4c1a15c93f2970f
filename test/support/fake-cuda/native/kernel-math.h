// CUDA C's functions on numbers, in terms of g++ and the C library. Part of the prelude.
#pragma once

// Bits of one type seen as another.
template <class To, class From>
static inline To fake_bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "same size");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}
static inline unsigned __float_as_uint(float x) { return fake_bits<unsigned>(x); }
static inline int __float_as_int(float x) { return fake_bits<int>(x); }
static inline float __uint_as_float(unsigned x) { return fake_bits<float>(x); }
static inline float __int_as_float(int x) { return fake_bits<float>(x); }
static inline long long __double_as_longlong(double x) { return fake_bits<long long>(x); }
static inline double __longlong_as_double(long long x) { return fake_bits<double>(x); }
static inline int __double2hiint(double x) { return (int)(fake_bits<unsigned long long>(x) >> 32); }
static inline int __double2loint(double x) { return (int)fake_bits<unsigned long long>(x); }

// Integers.
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
static inline int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
static inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline unsigned __brev(unsigned x) {
  unsigned reversed = 0;
  for (int i = 0; i < 32; i++) reversed |= (x >> i & 1u) << (31 - i);
  return reversed;
}
static inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  const unsigned long long bytes = (unsigned long long)b << 32 | a;
  unsigned picked = 0;
  for (int i = 0; i < 4; i++) picked |= (unsigned)(bytes >> 8 * (selector >> 4 * i & 7u) & 0xffu) << 8 * i;
  return picked;
}
static inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(((unsigned long long)high << 32 | low) << (shift & 31u) >> 32);
}
static inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31u));
}
static inline int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 4; i++) c += (int)(signed char)(a >> 8 * i) * (int)(signed char)(b >> 8 * i);
  return c;
}

#define FAKE_MINMAX(type)                                        \
  static inline type min(type a, type b) { return a < b ? a : b; } \
  static inline type max(type a, type b) { return a > b ? a : b; }
FAKE_MINMAX(int)
FAKE_MINMAX(unsigned)
FAKE_MINMAX(long)
FAKE_MINMAX(unsigned long)
FAKE_MINMAX(long long)
FAKE_MINMAX(unsigned long long)
#undef FAKE_MINMAX
static inline unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
static inline unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
static inline unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
static inline unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }
static inline unsigned long long min(unsigned long long a, long long b) { return min(a, (unsigned long long)b); }
static inline unsigned long long min(long long a, unsigned long long b) { return min((unsigned long long)a, b); }
static inline unsigned long long max(unsigned long long a, long long b) { return max(a, (unsigned long long)b); }
static inline unsigned long long max(long long a, unsigned long long b) { return max((unsigned long long)a, b); }
static inline float min(float a, float b) { return __builtin_fminf(a, b); }
static inline float max(float a, float b) { return __builtin_fmaxf(a, b); }
static inline double min(double a, double b) { return __builtin_fmin(a, b); }
static inline double max(double a, double b) { return __builtin_fmax(a, b); }

// Real numbers: the C library's functions, with CUDA's overloads for float.
#define FAKE_MATH1(name)                                                        \
  extern "C" double name(double) noexcept;                                      \
  extern "C" float name##f(float) noexcept;                                     \
  static inline float name(float x) { return __builtin_##name##f(x); }
FAKE_MATH1(exp) FAKE_MATH1(exp2) FAKE_MATH1(expm1) FAKE_MATH1(log) FAKE_MATH1(log2) FAKE_MATH1(log10)
FAKE_MATH1(log1p) FAKE_MATH1(sqrt) FAKE_MATH1(cbrt) FAKE_MATH1(sin) FAKE_MATH1(cos) FAKE_MATH1(tan)
FAKE_MATH1(sinh) FAKE_MATH1(cosh) FAKE_MATH1(tanh) FAKE_MATH1(atan) FAKE_MATH1(asin) FAKE_MATH1(acos)
FAKE_MATH1(erf) FAKE_MATH1(erfc) FAKE_MATH1(floor) FAKE_MATH1(ceil) FAKE_MATH1(round) FAKE_MATH1(trunc)
FAKE_MATH1(rint) FAKE_MATH1(nearbyint) FAKE_MATH1(fabs)
#undef FAKE_MATH1
#define FAKE_MATH2(name)                                                        \
  extern "C" double name(double, double) noexcept;                              \
  extern "C" float name##f(float, float) noexcept;                              \
  static inline float name(float x, float y) { return __builtin_##name##f(x, y); }
FAKE_MATH2(pow) FAKE_MATH2(fmod) FAKE_MATH2(atan2) FAKE_MATH2(fmin) FAKE_MATH2(fmax) FAKE_MATH2(copysign)
FAKE_MATH2(hypot)
#undef FAKE_MATH2
extern "C" double fma(double, double, double) noexcept;
extern "C" float fmaf(float, float, float) noexcept;
static inline float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
extern "C" float ldexpf(float, int) noexcept;
extern "C" double ldexp(double, int) noexcept;
extern "C" float frexpf(float, int*) noexcept;
extern "C" float scalbnf(float, int) noexcept;
extern "C" int abs(int) noexcept;
extern "C" long long llabs(long long) noexcept;
static inline float abs(float x) { return __builtin_fabsf(x); }
static inline double abs(double x) { return __builtin_fabs(x); }
static inline long long abs(long long x) { return x < 0 ? -x : x; }
static inline float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
static inline double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
static inline float rsqrt(float x) { return rsqrtf(x); }
static inline bool isnan(float x) { return __builtin_isnan(x); }
static inline bool isnan(double x) { return __builtin_isnan(x); }
static inline bool isinf(float x) { return __builtin_isinf(x); }
static inline bool isinf(double x) { return __builtin_isinf(x); }
static inline bool isfinite(float x) { return __builtin_isfinite(x); }
static inline bool isfinite(double x) { return __builtin_isfinite(x); }
static inline bool signbit(float x) { return __builtin_signbit(x); }
static inline float __expf(float x) { return __builtin_expf(x); }
static inline float __logf(float x) { return __builtin_logf(x); }
static inline float __log2f(float x) { return __builtin_log2f(x); }
static inline float __powf(float x, float y) { return __builtin_powf(x, y); }
static inline float __sinf(float x) { return __builtin_sinf(x); }
static inline float __cosf(float x) { return __builtin_cosf(x); }
static inline float __fdividef(float x, float y) { return x / y; }
static inline float __frcp_rn(float x) { return 1.0f / x; }
static inline float __fsqrt_rn(float x) { return __builtin_sqrtf(x); }
static inline float __frsqrt_rn(float x) { return rsqrtf(x); }
static inline float __fadd_rn(float x, float y) { return x + y; }
static inline float __fsub_rn(float x, float y) { return x - y; }
static inline float __fmul_rn(float x, float y) { return x * y; }
static inline float __fdiv_rn(float x, float y) { return x / y; }
static inline float __fmaf_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
static inline double __dadd_rn(double x, double y) { return x + y; }
static inline double __dsub_rn(double x, double y) { return x - y; }
static inline double __dmul_rn(double x, double y) { return x * y; }
static inline double __ddiv_rn(double x, double y) { return x / y; }
static inline double __dsqrt_rn(double x) { return __builtin_sqrt(x); }
static inline double __fma_rn(double x, double y, double z) { return __builtin_fma(x, y, z); }
static inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
// Conversions saturate on a GPU where they are undefined in C++.
static inline int __float2int_rz(float x) {
  if (__builtin_isnan(x)) return 0;
  return x >= 2147483648.0f ? 2147483647 : x <= -2147483648.0f ? -2147483647 - 1 : (int)x;
}
static inline int __float2int_rn(float x) { return __float2int_rz(__builtin_rintf(x)); }
static inline int __float2int_rd(float x) { return __float2int_rz(__builtin_floorf(x)); }
static inline unsigned __float2uint_rz(float x) {
  if (!(x > 0.0f)) return 0;
  return x >= 4294967296.0f ? 4294967295u : (unsigned)x;
}
static inline unsigned __float2uint_rn(float x) { return __float2uint_rz(__builtin_rintf(x)); }
static inline float __int2float_rn(int x) { return (float)x; }
static inline float __uint2float_rn(unsigned x) { return (float)x; }
static inline float __double2float_rn(double x) { return (float)x; }
