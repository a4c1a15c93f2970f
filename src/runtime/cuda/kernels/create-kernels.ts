import { kernelFamily } from "./family.ts";

/**
 * New tensors, with the bits that the host makes: a constant in every element, and Philox4x32-10
 * as uniform, symmetric or normal values. Each thread makes one block of four words at a time.
 */
export const createKernels = kernelFamily({
  name: "create",
  parameters: ["T"],
  kernels: ["fill_constant", "random_uniform", "random_symmetric", "random_normal"],
  code: `
extern "C" __global__ void fill_constant(T* out, i64 count, double value) {
  const T one = Format<T>::round(value, false);
  Pack<T> pack;
  const int per_pack = 16 / sizeof(T);
  for (int at = 0; at < per_pack; at++) pack.items[at] = one;
  const i64 packs = count / per_pack;
  for (i64 at = first_index(); at < packs; at += index_stride()) ((Quad*)out)[at] = pack.quad;
  for (i64 at = packs * per_pack + first_index(); at < count; at += index_stride()) out[at] = one;
}

struct Words { u32 word[4]; };

static __device__ __forceinline__ Words philox(u64 block, u32 high0, u32 high1, u32 key0, u32 key1) {
  u32 c0 = (u32)block, c1 = (u32)(block >> 32), c2 = high0, c3 = high1;
  for (int round = 0; round < 10; round++) {
    const u64 product0 = (u64)0xd2511f53u * c0;
    const u64 product1 = (u64)0xcd9e8d57u * c2;
    c0 = (u32)(product1 >> 32) ^ c1 ^ key0;
    c1 = (u32)product1;
    c2 = (u32)(product0 >> 32) ^ c3 ^ key1;
    c3 = (u32)product0;
    key0 += 0x9e3779b9u;
    key1 += 0xbb67ae85u;
  }
  Words out;
  out.word[0] = c0; out.word[1] = c1; out.word[2] = c2; out.word[3] = c3;
  return out;
}

static __device__ double natural_log(double x) {
  const u64 bits = double_to_bits(x);
  double m = bits_to_double((bits & 0xfffffffffffffull) | (1022ull << 52));
  double k = (double)((int)(bits >> 52) - 1022);
  if (m < 0.7071067811865476) { m = times(m, 2.0); k = plus(k, -1.0); }
  const double f = plus(m, -1.0);
  const double s = f / plus(2.0, f);
  const double half = times(times(0.5, f), f);
  const double z = times(s, s);
  const double w = times(z, z);
  double odd = 2.0 / 23;
  odd = plus(2.0 / 19, times(w, odd));
  odd = plus(2.0 / 15, times(w, odd));
  odd = plus(2.0 / 11, times(w, odd));
  odd = plus(2.0 / 7, times(w, odd));
  odd = plus(2.0 / 3, times(w, odd));
  double even = 2.0 / 21;
  even = plus(2.0 / 17, times(w, even));
  even = plus(2.0 / 13, times(w, even));
  even = plus(2.0 / 9, times(w, even));
  even = plus(2.0 / 5, times(w, even));
  const double series = times(z, plus(odd, times(z, even)));
  const double rest = times(s, plus(half, series));
  const double low = plus(rest, times(k, 1.9082149292705877e-10));
  return plus(times(k, 0.6931471803691238), -plus(plus(half, -low), -f));
}

static __device__ __forceinline__ double polynomial(const double* c, int count, double x) {
  double sum = 0;
  for (int at = 0; at < count; at++) sum = plus(times(sum, x), c[at]);
  return sum;
}

// Wichura's AS 241 with the host's coefficients, in the host's order.
static __device__ double inverse_normal(double p) {
  const double over0[8] = {2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987,
    13731.69376550946, 1971.5909503065513, 133.14166789178438, 3.3871328727963665};
  const double under0[8] = {5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597,
    5394.196021424751, 687.1870074920579, 42.31333070160091, 1};
  const double over1[8] = {0.0007745450142783414, 0.022723844989269184, 0.2417807251774506,
    1.2704582524523684, 3.6478483247632045, 5.769497221460691, 4.630337846156546, 1.4234371107496835};
  const double under1[8] = {1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457,
    0.14810397642748008, 0.6897673349851, 1.6763848301838038, 2.053191626637759, 1};
  const double q = plus(p, -0.5);
  if ((q < 0 ? -q : q) <= 0.425) {
    const double r = plus(0.180625, -times(q, q));
    return times(q, polynomial(over0, 8, r)) / polynomial(under0, 8, r);
  }
  const double tail = sqrt(-natural_log(q < 0 ? p : plus(1.0, -p)));
  const double r = plus(tail, -1.6);
  const double value = polynomial(over1, 8, r) / polynomial(under1, 8, r);
  return q < 0 ? -value : value;
}

static __device__ __forceinline__ double uniform_of(u32 word) { return (double)(word >> 8) * (1.0 / 16777216.0); }
static __device__ __forceinline__ double symmetric_of(u32 word) { return (double)((int)word >> 8) * (1.0 / 8388608.0); }
static __device__ __forceinline__ double normal_of(u32 word) {
  return inverse_normal(times(plus((double)word, 0.5), 1.0 / 4294967296.0));
}

// What a thread makes at a time, written at once where all of it is wanted.
struct alignas(4 * sizeof(T)) Four { T items[4]; };

template <double (*VALUE_OF)(u32)> static __device__ __forceinline__ void fill_random(
    T* out, i64 count, u32 key0, u32 key1, u32 high0, u32 high1) {
  for (i64 block = first_index(); 4 * block < count; block += index_stride()) {
    const Words words = philox((u64)block, high0, high1, key0, key1);
    Four four;
#pragma unroll
    for (int at = 0; at < 4; at++) four.items[at] = Format<T>::round(VALUE_OF(words.word[at]), false);
    if (4 * block + 4 <= count) ((Four*)out)[block] = four;
    else for (int at = 0; 4 * block + at < count; at++) out[4 * block + at] = four.items[at];
  }
}

#define RANDOM_KERNEL(NAME, VALUE_OF)                                                            \\
  extern "C" __global__ void NAME(T* out, i64 count, u32 key0, u32 key1, u32 high0, u32 high1) { \\
    fill_random<VALUE_OF>(out, count, key0, key1, high0, high1);                                 \\
  }

RANDOM_KERNEL(random_uniform, uniform_of)
RANDOM_KERNEL(random_symmetric, symmetric_of)
RANDOM_KERNEL(random_normal, normal_of)
`,
});
