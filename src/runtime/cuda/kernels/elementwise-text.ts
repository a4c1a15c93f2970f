/**
 * CUDA C of loops over elements: sixteen bytes at a time where operands have one shape, by strides
 * of up to six dimensions where one is repeated. `F::of` is the operation in the computing type.
 */
export const elementwiseText = `
typedef Format<T>::Math Math;
const int per_quad = 16 / sizeof(T);

template <typename F> static __device__ __forceinline__ void map_one(const T* x, T* out, i64 count) {
  const i64 packs = count / per_quad;
  for (i64 at = first_index(); at < packs; at += index_stride()) {
    Pack<T> pack;
    pack.quad = ((const Quad*)x)[at];
#pragma unroll
    for (int item = 0; item < per_quad; item++) pack.items[item] = Format<T>::write(F::of(Format<T>::read(pack.items[item])));
    ((Quad*)out)[at] = pack.quad;
  }
  for (i64 at = packs * per_quad + first_index(); at < count; at += index_stride()) {
    out[at] = Format<T>::write(F::of(Format<T>::read(x[at])));
  }
}

template <typename F> static __device__ __forceinline__ void map_two(const T* a, const T* b, T* out, i64 count) {
  const i64 packs = count / per_quad;
  for (i64 at = first_index(); at < packs; at += index_stride()) {
    Pack<T> one, other;
    one.quad = ((const Quad*)a)[at];
    other.quad = ((const Quad*)b)[at];
#pragma unroll
    for (int item = 0; item < per_quad; item++) {
      one.items[item] = Format<T>::write(F::of(Format<T>::read(one.items[item]), Format<T>::read(other.items[item])));
    }
    ((Quad*)out)[at] = one.quad;
  }
  for (i64 at = packs * per_quad + first_index(); at < count; at += index_stride()) {
    out[at] = Format<T>::write(F::of(Format<T>::read(a[at]), Format<T>::read(b[at])));
  }
}

struct Dims { i64 n[6], a[6], b[6]; };

// Divisions of 32 bits are several times as fast as those of 64.
template <typename Index> static __device__ __forceinline__ void places(const Dims& dims, i64 at, i64& a, i64& b) {
  Index rest = (Index)at;
  a = 0;
  b = 0;
#pragma unroll
  for (int dim = 5; dim >= 0; dim--) {
    if (dims.n[dim] == 1) continue;
    const Index length = (Index)dims.n[dim];
    const Index index = rest % length;
    rest /= length;
    a += (i64)index * dims.a[dim];
    b += (i64)index * dims.b[dim];
  }
}

template <typename F> static __device__ __forceinline__ void map_strided(const T* a, const T* b, T* out, i64 count, const Dims& dims) {
  for (i64 at = first_index(); at < count; at += index_stride()) {
    i64 one, other;
    if (count <= 0xffffffffll) places<u32>(dims, at, one, other);
    else places<u64>(dims, at, one, other);
    out[at] = Format<T>::write(F::of(Format<T>::read(a[one]), Format<T>::read(b[other])));
  }
}

#define UNARY(NAME, EXPRESSION)                                                                   \\
  struct NAME##_of { static __device__ __forceinline__ Math of(Math x) { return EXPRESSION; } };  \\
  extern "C" __global__ void NAME(const T* x, T* out, i64 count) { map_one<NAME##_of>(x, out, count); }

#define BINARY(NAME, EXPRESSION)                                                                         \\
  struct NAME##_of { static __device__ __forceinline__ Math of(Math x, Math y) { return EXPRESSION; } }; \\
  extern "C" __global__ void NAME(const T* a, const T* b, T* out, i64 count) { map_two<NAME##_of>(a, b, out, count); } \\
  extern "C" __global__ void NAME##_strided(const T* a, const T* b, T* out, i64 count,                   \\
      i64 n0, i64 n1, i64 n2, i64 n3, i64 n4, i64 n5, i64 a0, i64 a1, i64 a2, i64 a3, i64 a4, i64 a5,    \\
      i64 b0, i64 b1, i64 b2, i64 b3, i64 b4, i64 b5) {                                                  \\
    const Dims dims = {{n0, n1, n2, n3, n4, n5}, {a0, a1, a2, a3, a4, a5}, {b0, b1, b2, b3, b4, b5}};    \\
    map_strided<NAME##_of>(a, b, out, count, dims);                                                      \\
  }
`;
