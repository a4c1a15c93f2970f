// Put before every kernel text: CUDA C's words in terms of g++. Includes nothing but the ABI, as
// kernels do, so that compiling stays fast and no name of a C header helps a kernel by accident.
#include "kernel-abi.h"

#define __global__
#define __device__
#define __host__
#define __constant__ static
#define __shared__ static
#define __managed__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__

using uint3 = fake_index3;
using dim3 = fake_index3;
static uint3 threadIdx, blockIdx;
static dim3 blockDim, gridDim;
static const int warpSize = 32;

static const fake_hooks* fake_current_hooks;
static unsigned char fake_dynamic_shared[232448] __attribute__((aligned(1024)));
extern "C" __attribute__((visibility("default"))) fake_module_table fake_module = {
    &threadIdx, &blockIdx, &blockDim, &gridDim, &fake_current_hooks, sizeof fake_dynamic_shared};

#define FAKE_VECTOR(type, name, align2, align4)                                                 \
  struct __align__(align2) name##2 { type x, y; };                                              \
  struct name##3 { type x, y, z; };                                                             \
  struct __align__(align4) name##4 { type x, y, z, w; };                                        \
  static inline name##2 make_##name##2(type x, type y) { return {x, y}; }                       \
  static inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }            \
  static inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
FAKE_VECTOR(signed char, char, 2, 4)
FAKE_VECTOR(unsigned char, uchar, 2, 4)
FAKE_VECTOR(short, short, 4, 8)
FAKE_VECTOR(unsigned short, ushort, 4, 8)
FAKE_VECTOR(int, int, 8, 16)
FAKE_VECTOR(float, float, 8, 16)
FAKE_VECTOR(double, double, 16, 16)
FAKE_VECTOR(long long, longlong, 16, 16)
FAKE_VECTOR(unsigned long long, ulonglong, 16, 16)
struct __align__(8) uint2 { unsigned x, y; };
struct __align__(16) uint4 { unsigned x, y, z, w; };
static inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
static inline uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }
static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

#include "kernel-math.h"

// Memory.
template <class T> static inline T __ldg(const T* p) { return *p; }
template <class T> static inline T __ldcs(const T* p) { return *p; }
template <class T> static inline T __ldcg(const T* p) { return *p; }
template <class T> static inline T __ldcv(const T* p) { return *p; }
template <class T> static inline void __stcs(T* p, T value) { *p = value; }
template <class T> static inline void __stcg(T* p, T value) { *p = value; }
static inline void __threadfence() {}
static inline void __threadfence_block() {}
static inline void __threadfence_system() {}
static inline void __nanosleep(unsigned) {}
static inline void __trap() { __builtin_trap(); }
static inline long long clock64() { return 0; }

// One thread runs at a time, so an atomic operation is just an operation.
template <class T> struct fake_same { using type = T; };
#define FAKE_ATOMIC(name, expression)                                     \
  template <class T>                                                      \
  static inline T name(T* address, typename fake_same<T>::type value) {   \
    const T old = *address;                                               \
    *address = expression;                                                \
    return old;                                                           \
  }
FAKE_ATOMIC(atomicAdd, (T)(old + value))
FAKE_ATOMIC(atomicSub, (T)(old - value))
FAKE_ATOMIC(atomicMin, old < value ? old : value)
FAKE_ATOMIC(atomicMax, old > value ? old : value)
FAKE_ATOMIC(atomicXor, old ^ value)
FAKE_ATOMIC(atomicOr, old | value)
FAKE_ATOMIC(atomicAnd, old & value)
FAKE_ATOMIC(atomicExch, value)
#undef FAKE_ATOMIC
template <class T>
static inline T atomicCAS(T* address, typename fake_same<T>::type compare,
                          typename fake_same<T>::type value) {
  const T old = *address;
  if (old == compare) *address = value;
  return old;
}

// Waiting for other threads. The compiler must take every value from memory again afterwards.
static inline void fake_reload() { asm volatile("" ::: "memory"); }
static inline int __syncthreads_count(int predicate) {
  fake_reload();
  const int count = fake_current_hooks->block_barrier(predicate);
  fake_reload();
  return count;
}
static inline void __syncthreads() { __syncthreads_count(0); }
static inline int __syncthreads_or(int predicate) { return __syncthreads_count(predicate) > 0; }
static inline int __syncthreads_and(int predicate) { return __syncthreads_count(!predicate) == 0; }

static inline unsigned fake_thread_rank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
static inline unsigned fake_lane() { return fake_thread_rank() & 31u; }
static inline const unsigned long long* fake_exchange(unsigned mask, unsigned long long value) {
  fake_reload();
  const unsigned long long* all = fake_current_hooks->warp_exchange(mask, value);
  fake_reload();
  return all;
}
static inline void __syncwarp(unsigned mask = 0xffffffffu) { fake_exchange(mask, 0); }
template <class T>
static inline T fake_shuffle(unsigned mask, T value, int source) {
  static_assert(sizeof(T) <= 8, "at most eight bytes");
  unsigned long long wide = 0;
  __builtin_memcpy(&wide, &value, sizeof value);
  const unsigned long long given = fake_exchange(mask, wide)[source];
  __builtin_memcpy(&value, &given, sizeof value);
  return value;
}
// Where a lane reads from: within its own part of the warp, itself when it would leave that.
template <class T> static inline T __shfl_sync(unsigned mask, T value, int lane, int width = 32) {
  return fake_shuffle(mask, value, (int)(fake_lane() & ~(unsigned)(width - 1)) + (lane & (width - 1)));
}
template <class T> static inline T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32) {
  const int self = (int)fake_lane(), source = self ^ lanes;
  return fake_shuffle(mask, value, source / width > self / width ? self : source);
}
template <class T> static inline T __shfl_down_sync(unsigned mask, T value, unsigned lanes, int width = 32) {
  const int self = (int)fake_lane(), source = self + (int)lanes;
  return fake_shuffle(mask, value, source / width != self / width ? self : source);
}
template <class T> static inline T __shfl_up_sync(unsigned mask, T value, unsigned lanes, int width = 32) {
  const int self = (int)fake_lane(), source = self - (int)lanes;
  return fake_shuffle(mask, value, source < self / width * width ? self : source);
}
static inline unsigned __ballot_sync(unsigned mask, int predicate) {
  const unsigned long long* all = fake_exchange(mask, predicate != 0);
  unsigned ballot = 0;
  for (int i = 0; i < 32; i++)
    if (mask >> i & 1u) ballot |= (unsigned)(all[i] & 1u) << i;
  return ballot;
}
static inline int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
static inline int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }

// How a kernel is called with parameters that only its own text knows.
template <unsigned... I> struct fake_indices {};
template <class T> struct fake_is_output { static const bool value = false; };
template <class T> struct fake_is_output<T*> { static const bool value = true; };
template <class T> struct fake_is_output<const T*> { static const bool value = false; };

template <class... A>
struct fake_signature {
  static unsigned bytes[sizeof...(A) + 1];
  static int output() {
    const bool outputs[] = {fake_is_output<A>::value..., false};
    for (int i = 0; i < (int)sizeof...(A); i++)
      if (outputs[i]) return i;
    return -1;
  }
};
template <class... A> unsigned fake_signature<A...>::bytes[] = {(unsigned)sizeof(A)..., 0};

template <class... A, unsigned... I>
static inline __attribute__((always_inline)) void fake_call(void (*kernel)(A...), void** p, fake_indices<I...>) {
  kernel(*(A*)p[I]...);
}
template <class... A>
static inline __attribute__((always_inline)) void fake_call(void (*kernel)(A...), void** p) {
  fake_call(kernel, p, fake_indices<__integer_pack((unsigned)sizeof...(A))...>{});
}
template <class... A>
static fake_kernel_entry fake_entry(void (*)(A...), void (*call)(void**), void (*loop)(void**), int waits) {
  return {call, loop, fake_signature<A...>::bytes, (int)sizeof...(A), fake_signature<A...>::output(), waits};
}
#define FAKE_KERNEL(name, waits)                                                                     \
  static void fake_call_##name(void** p) { fake_call(name, p); }                                     \
  static void fake_loop_##name(void** p) {                                                           \
    for (threadIdx.z = 0; threadIdx.z < blockDim.z; threadIdx.z++)                                   \
      for (threadIdx.y = 0; threadIdx.y < blockDim.y; threadIdx.y++)                                 \
        for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++) fake_call(name, p);           \
  }                                                                                                  \
  extern "C" __attribute__((visibility("default"))) fake_kernel_entry fake_kernel_##name() {         \
    return fake_entry(name, fake_call_##name, fake_loop_##name, waits);                              \
  }
