import { kernelFamily } from "./family.ts";
import { hashText } from "./hash-text.ts";

/** The hash of a buffer, four times sixteen bytes in flight per thread. */
export const hashKernels = kernelFamily({
  name: "hash",
  kernels: ["hash_buffer"],
  code: `${hashText}
extern "C" __global__ void __launch_bounds__(256, 6) hash_buffer(const u8* bytes, i64 count, u64* sum) {
  const Quad* quads = (const Quad*)bytes;
  const i64 whole = count / 16;
  const i64 stride = index_stride();
  u64 total = 0;
  i64 at = first_index();
  for (; at + 3 * stride < whole; at += 4 * stride) {
    const Quad a = read_once(quads + at), b = read_once(quads + at + stride);
    const Quad c = read_once(quads + at + 2 * stride), d = read_once(quads + at + 3 * stride);
    total += hash_quad(a, (u64)(2 * at + 1) * HASH_STEP);
    total += hash_quad(b, (u64)(2 * (at + stride) + 1) * HASH_STEP);
    total += hash_quad(c, (u64)(2 * (at + 2 * stride) + 1) * HASH_STEP);
    total += hash_quad(d, (u64)(2 * (at + 3 * stride) + 1) * HASH_STEP);
  }
  for (; at < whole; at += stride) total += hash_quad(quads[at], (u64)(2 * at + 1) * HASH_STEP);
  // What is left is filled up with zeros to words.
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    for (i64 word = 2 * whole; 8 * word < count; word++) {
      u64 value = 0;
      for (int byte = 0; byte < 8 && 8 * word + byte < count; byte++) value |= (u64)bytes[8 * word + byte] << (8 * byte);
      total += hash_word(value, (u64)(word + 1) * HASH_STEP);
    }
  }
  const u64 of_block = block_sum(total);
  if (threadIdx.x == 0) atomicAdd(sum, of_block);
}
`,
});
