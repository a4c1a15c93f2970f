/**
 * CUDA C of the position-dependent hash: the 64-bit word w at place i adds
 * (low(w) + low(k)) * (high(w) + high(k)) + w to a sum modulo 2^64, with k = (i + 1) times the odd
 * `hash_step` and the inner sums modulo 2^32. A sum has no order, so any number of threads give the
 * same bits; the key makes every place count differently. One flipped bit always changes it, but
 * for one case in 2^32; see `ops/hash.ts` for the same on the host.
 */
export const hashText = `
#define HASH_STEP 0x9e3779b97f4a7c15ull

static __device__ __forceinline__ u64 hash_word(u64 word, u64 key) {
  const u32 low = (u32)word + (u32)key;
  const u32 high = (u32)(word >> 32) + (u32)(key >> 32);
  return (u64)low * high + word;
}

static __device__ __forceinline__ u64 hash_quad(Quad quad, u64 key) {
  return hash_word((u64)quad.y << 32 | quad.x, key) + hash_word((u64)quad.w << 32 | quad.z, key + HASH_STEP);
}

// The sum over a block, in its first thread. Threads are a multiple of 32, at most 1024.
static __device__ __forceinline__ u64 block_sum(u64 value) {
  __shared__ u64 sums[32];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
  __syncthreads();
  u64 total = 0;
  if (threadIdx.x == 0) for (u32 warp = 0; warp < blockDim.x / 32; warp++) total += sums[warp];
  __syncthreads();
  return total;
}
`;
