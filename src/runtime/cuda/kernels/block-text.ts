/**
 * CUDA C of work that a block does on a row: loops over its elements, sixteen bytes at a time where
 * rows are multiples of that, and reductions whose order depends on the shape alone. Blocks have a
 * multiple of 32 threads along x, at most 1024.
 */
export const blockText = `
typedef Format<T>::Math Math;
const int per_quad = 16 / sizeof(T);

struct AddOf { template <typename V> static __device__ __forceinline__ V of(V a, V b) { return a + b; } };
struct MaxOf { template <typename V> static __device__ __forceinline__ V of(V a, V b) { return a > b ? a : b; } };

// In every thread of the block.
template <typename F, typename V> static __device__ __forceinline__ V reduce_block(V value, V nothing) {
  __shared__ V shared_values[33];
  for (int offset = 16; offset > 0; offset /= 2) value = F::of(value, __shfl_xor_sync(0xffffffffu, value, offset));
  const int warps = blockDim.x / 32;
  if (warps == 1) return value;
  __syncthreads();
  if (threadIdx.x % 32 == 0) shared_values[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    V part = (int)threadIdx.x < warps ? shared_values[threadIdx.x] : nothing;
    for (int offset = 16; offset > 0; offset /= 2) part = F::of(part, __shfl_xor_sync(0xffffffffu, part, offset));
    if (threadIdx.x == 0) shared_values[32] = part;
  }
  __syncthreads();
  return shared_values[32];
}

template <typename V> static __device__ __forceinline__ V block_total(V value) { return reduce_block<AddOf, V>(value, (V)0); }

// f(index, value) of this thread's elements of a row.
template <typename F> static __device__ __forceinline__ void each(const T* row, i64 columns, F f) {
  if (columns % per_quad == 0) {
    for (i64 quad = threadIdx.x; quad < columns / per_quad; quad += blockDim.x) {
      Pack<T> pack;
      pack.quad = ((const Quad*)row)[quad];
#pragma unroll
      for (int item = 0; item < per_quad; item++) f(quad * per_quad + item, Format<T>::read(pack.items[item]));
    }
  } else {
    for (i64 at = threadIdx.x; at < columns; at += blockDim.x) f(at, Format<T>::read(row[at]));
  }
}

// f(index, value, value) of two rows.
template <typename F> static __device__ __forceinline__ void each_pair(const T* one, const T* other, i64 columns, F f) {
  if (columns % per_quad == 0) {
    for (i64 quad = threadIdx.x; quad < columns / per_quad; quad += blockDim.x) {
      Pack<T> a, b;
      a.quad = ((const Quad*)one)[quad];
      b.quad = ((const Quad*)other)[quad];
#pragma unroll
      for (int item = 0; item < per_quad; item++) {
        f(quad * per_quad + item, Format<T>::read(a.items[item]), Format<T>::read(b.items[item]));
      }
    }
  } else {
    for (i64 at = threadIdx.x; at < columns; at += blockDim.x) f(at, Format<T>::read(one[at]), Format<T>::read(other[at]));
  }
}

// out = f(index, value), rounded once.
template <typename F> static __device__ __forceinline__ void map_row(const T* row, T* out, i64 columns, F f) {
  if (columns % per_quad == 0) {
    for (i64 quad = threadIdx.x; quad < columns / per_quad; quad += blockDim.x) {
      Pack<T> pack;
      pack.quad = ((const Quad*)row)[quad];
#pragma unroll
      for (int item = 0; item < per_quad; item++) {
        pack.items[item] = Format<T>::write(f(quad * per_quad + item, Format<T>::read(pack.items[item])));
      }
      ((Quad*)out)[quad] = pack.quad;
    }
  } else {
    for (i64 at = threadIdx.x; at < columns; at += blockDim.x) out[at] = Format<T>::write(f(at, Format<T>::read(row[at])));
  }
}

template <typename F> static __device__ __forceinline__ void map_pair(const T* one, const T* other, T* out, i64 columns, F f) {
  if (columns % per_quad == 0) {
    for (i64 quad = threadIdx.x; quad < columns / per_quad; quad += blockDim.x) {
      Pack<T> a, b;
      a.quad = ((const Quad*)one)[quad];
      b.quad = ((const Quad*)other)[quad];
#pragma unroll
      for (int item = 0; item < per_quad; item++) {
        a.items[item] = Format<T>::write(f(quad * per_quad + item, Format<T>::read(a.items[item]), Format<T>::read(b.items[item])));
      }
      ((Quad*)out)[quad] = a.quad;
    }
  } else {
    for (i64 at = threadIdx.x; at < columns; at += blockDim.x) {
      out[at] = Format<T>::write(f(at, Format<T>::read(one[at]), Format<T>::read(other[at])));
    }
  }
}
`;
