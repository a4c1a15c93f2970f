import type { KernelSource } from "../../device/device.ts";

/**
 * The data of an exchange: whole numbers that depend on the rank and the place, so small that every
 * sum over the ranks is exact in every order and element type. The kernels and `valueAt` give the
 * same numbers.
 */
export interface ExactValues {
  /** No rank has a larger number. */
  readonly valueMax: number;
  /** At each place, one rank of so many has a number other than 0. */
  readonly every: number;
}

/** More numbers tell places apart no better, and a float holds their sums. */
const sumMax = 2 ** 20;

/**
 * The numbers for a group of ranks.
 *
 * @param o.exactMax whole numbers up to this are exact in the element type
 */
export function exactValues(o: {
  readonly exactMax: number;
  readonly worldSize: number;
}): ExactValues {
  const most = Math.min(o.exactMax, sumMax);
  const every = Math.ceil(o.worldSize / most);
  return { valueMax: Math.floor(most / Math.ceil(o.worldSize / every)), every };
}

/** The number that a rank has at a place, which may be beyond 2^32. */
export function valueAt({ valueMax, every }: ExactValues, rank: number, place: number): number {
  if ((place + rank) % every !== 0) return 0;
  const low = place % 2 ** 32;
  const high = Math.floor(place / 2 ** 32);
  let mixed = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca77);
  mixed = (mixed + Math.imul(rank + 1, 0xc2b2ae3d)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 0;
  mixed = (mixed ^ (mixed >>> 13)) >>> 0;
  return mixed % (valueMax + 1);
}

/** How small whole numbers are written: as bytes, words or one of the floats. */
export const exactKinds = { byte: 1, f16: 2, bf16: 3, i32: 4, f32: 5, f64: 6 } as const;
export type ExactKind = keyof typeof exactKinds;

/** Fills with these numbers, and compares with them. */
export function exactValuesKernel(kind: ExactKind): KernelSource {
  return {
    name: `nccl-exact-${kind}`,
    code,
    defines: { KIND: exactKinds[kind] },
    kernels: ["fill_exact", "verify_exact"],
  };
}

const code = `
typedef unsigned int u32;
typedef unsigned long long u64;

#if KIND == 1
typedef unsigned char element;
#elif KIND == 2 || KIND == 3
typedef unsigned short element;
#elif KIND == 4 || KIND == 5
typedef unsigned int element;
#else
typedef unsigned long long element;
#endif

// The bits of a small whole number.
static __device__ element encode(u32 value) {
#if KIND == 1 || KIND == 4
  return (element)value;
#elif KIND == 2
  const u32 bits = __float_as_uint((float)value);
  return value == 0 ? 0 : (element)((bits >> 13) - ((127 - 15) << 10));
#elif KIND == 3
  return (element)(__float_as_uint((float)value) >> 16);
#elif KIND == 5
  return __float_as_uint((float)value);
#else
  const u32 bits = __float_as_uint((float)value);
  return value == 0 ? 0 : ((u64)((bits >> 23) + (1023 - 127)) << 52) | ((u64)(bits & 0x7fffffu) << 29);
#endif
}

static __device__ u32 value_at(u32 value_max, u32 every, u32 rank, u64 place) {
  if (every > 1 && (place + rank) % every != 0) return 0;
  u32 mixed = ((u32)place * 0x9e3779b1u) ^ ((u32)(place >> 32) * 0x85ebca77u);
  mixed += (rank + 1) * 0xc2b2ae3du;
  mixed = (mixed ^ (mixed >> 15)) * 0x85ebca6bu;
  mixed = mixed ^ (mixed >> 13);
  return mixed % (value_max + 1);
}

extern "C" __global__ void fill_exact(element *out, u64 count, u32 value_max, u32 every, u32 rank,
                                      u64 first_place) {
  const u64 step = (u64)gridDim.x * blockDim.x;
  for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
    out[i] = encode(value_at(value_max, every, rank, first_place + i));
  }
}

// Elements from at on must be what the ranks from first_rank on have, added up: one rank or all.
extern "C" __global__ void verify_exact(const element *in, u64 at, u64 count, u32 value_max, u32 every,
                                        u32 first_rank, u32 ranks, u64 first_place, u64 *found) {
  const u64 step = (u64)gridDim.x * blockDim.x;
  for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
    u32 sum = 0;
    for (u32 rank = first_rank; rank < first_rank + ranks; rank++) {
      sum += value_at(value_max, every, rank, first_place + i);
    }
    if (in[at + i] == encode(sum)) continue;
    atomicAdd(&found[0], 1ull);
    atomicMin(&found[1], at + i);
  }
}
`;
