import { kernelFamily } from "./family.ts";

/**
 * Memory patterns, written and read back sixteen bytes at a time. Kind 0: `value` in every 64-bit
 * word; 1: every word its own place in bytes plus `value`; 2: a random word by its place, of the
 * seed `value`. `found` holds the number of wrong words and the place of the first, in words.
 */
export const patternKernels = kernelFamily({
  name: "pattern",
  kernels: ["pattern_fill", "pattern_verify", "flip_bit"],
  code: `
static __device__ __forceinline__ u64 random_word(u64 place) {
  u64 z = place * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

template <int KIND> static __device__ __forceinline__ u64 expected_word(i64 word, u64 value) {
  if (KIND == 0) return value;
  if (KIND == 1) return value + 8 * (u64)word;
  return random_word(value + (u64)word);
}

template <int KIND> static __device__ __forceinline__ Quad expected_quad(i64 quad, u64 value) {
  const u64 one = expected_word<KIND>(2 * quad, value);
  const u64 other = expected_word<KIND>(2 * quad + 1, value);
  Quad out;
  out.x = (u32)one; out.y = (u32)(one >> 32);
  out.z = (u32)other; out.w = (u32)(other >> 32);
  return out;
}

template <int KIND> static __device__ void fill(u64* out, i64 words, u64 value) {
  const i64 whole = words / 2;
  for (i64 at = first_index(); at < whole; at += index_stride()) ((Quad*)out)[at] = expected_quad<KIND>(at, value);
  if (words % 2 == 1 && first_index() == 0) out[words - 1] = expected_word<KIND>(words - 1, value);
}

static __device__ void note_wrong(i64 word, u64* found) {
  atomicAdd(found, 1ull);
  atomicMin(found + 1, (u64)word);
}

template <int KIND> static __device__ __forceinline__ void compare(Quad quad, i64 at, u64 value, u64* found) {
  const Quad expected = expected_quad<KIND>(at, value);
  if ((quad.x ^ expected.x) | (quad.y ^ expected.y)) note_wrong(2 * at, found);
  if ((quad.z ^ expected.z) | (quad.w ^ expected.w)) note_wrong(2 * at + 1, found);
}

template <int KIND> static __device__ void verify(const u64* x, i64 words, u64 value, u64* found) {
  const Quad* quads = (const Quad*)x;
  const i64 whole = words / 2;
  const i64 stride = index_stride();
  i64 at = first_index();
  for (; at + 3 * stride < whole; at += 4 * stride) {
    const Quad a = read_once(quads + at), b = read_once(quads + at + stride);
    const Quad c = read_once(quads + at + 2 * stride), d = read_once(quads + at + 3 * stride);
    compare<KIND>(a, at, value, found);
    compare<KIND>(b, at + stride, value, found);
    compare<KIND>(c, at + 2 * stride, value, found);
    compare<KIND>(d, at + 3 * stride, value, found);
  }
  for (; at < whole; at += stride) compare<KIND>(quads[at], at, value, found);
  if (words % 2 == 1 && first_index() == 0 && x[words - 1] != expected_word<KIND>(words - 1, value)) {
    note_wrong(words - 1, found);
  }
}

extern "C" __global__ void pattern_fill(u64* out, i64 words, int kind, u64 value) {
  if (kind == 0) fill<0>(out, words, value);
  else if (kind == 1) fill<1>(out, words, value);
  else fill<2>(out, words, value);
}

extern "C" __global__ void pattern_verify(const u64* x, i64 words, int kind, u64 value, u64* found) {
  if (kind == 0) verify<0>(x, words, value, found);
  else if (kind == 1) verify<1>(x, words, value, found);
  else verify<2>(x, words, value, found);
}

extern "C" __global__ void flip_bit(u8* bytes, i64 bit) {
  bytes[bit / 8] ^= (u8)(1u << (bit % 8));
}
`,
});
