// The fake libcuda: memory. A device address is an address of this process, so that kernels run on
// it as they are; every allocation is followed by a guard that shows when one wrote past its end.
#include "driver-state.h"

using namespace fake;

static constexpr size_t alignment = 256;
static constexpr size_t guardBytes = 256;
static constexpr unsigned char guardByte = 0xa7;
static constexpr size_t poisonMax = 1 << 20;

static void* take(size_t bytes, Context* context, bool pinned) {
  const size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  unsigned char* address = static_cast<unsigned char*>(aligned_alloc(alignment, rounded + guardBytes));
  if (address == nullptr) return nullptr;
  // What nobody wrote must not look like zeros.
  memset(address, 0xcb, bytes < poisonMax ? bytes : poisonMax);
  memset(address + bytes, guardByte, guardBytes);
  driver().memory[reinterpret_cast<uintptr_t>(address)] = {bytes, context, pinned};
  return address;
}

static bool guardIsWhole(const unsigned char* end) {
  for (size_t i = 0; i < guardBytes; i++)
    if (end[i] != guardByte) return false;
  return true;
}

static Result give(void* address, Context* context, bool pinned) {
  auto& memory = driver().memory;
  const auto found = memory.find(reinterpret_cast<uintptr_t>(address));
  if (found == memory.end() || found->second.pinned != pinned) return CUDA_ERROR_INVALID_VALUE;
  const size_t bytes = found->second.bytes;
  const bool whole = guardIsWhole(static_cast<unsigned char*>(address) + bytes);
  if (!pinned) found->second.context->usedBytes -= bytes;
  memory.erase(found);
  free(address);
  if (whole) return CUDA_SUCCESS;
  fprintf(stderr, "fake libcuda: something wrote past the end of an allocation of %zu bytes\n", bytes);
  context->sticky = CUDA_ERROR_ILLEGAL_ADDRESS;
  return context->sticky;
}

API Result cuMemAlloc_v2(void** address, size_t bytes) {
  WITH_CONTEXT("cuMemAlloc_v2");
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  if (bytes > deviceMemoryBytes() - context->usedBytes) return CUDA_ERROR_OUT_OF_MEMORY;
  *address = take(bytes, context, false);
  if (*address == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  context->usedBytes += bytes;
  return CUDA_SUCCESS;
}

API Result cuMemFree_v2(void* address) {
  WITH_CONTEXT("cuMemFree_v2");
  if (address == nullptr) return CUDA_SUCCESS;
  const Result done = drainAll(context, true);
  return done != CUDA_SUCCESS ? done : give(address, context, false);
}

API Result cuMemGetInfo_v2(size_t* free, size_t* total) {
  WITH_CONTEXT("cuMemGetInfo_v2");
  *total = deviceMemoryBytes();
  *free = *total - context->usedBytes;
  return CUDA_SUCCESS;
}

API Result cuMemHostAlloc(void** address, size_t bytes, unsigned) {
  WITH_CONTEXT("cuMemHostAlloc");
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  *address = take(bytes, context, true);
  return *address == nullptr ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

API Result cuMemAllocHost_v2(void** address, size_t bytes) { return cuMemHostAlloc(address, bytes, 0); }

API Result cuMemFreeHost(void* address) {
  WITH_CONTEXT("cuMemFreeHost");
  const Result done = drainAll(context, true);
  return done != CUDA_SUCCESS ? done : give(address, context, true);
}

static bool isDevice(const void* address, size_t bytes) {
  return allocationHolds(reinterpret_cast<uintptr_t>(address), bytes);
}

static bool isPinned(const void* address, size_t bytes) {
  bool pinned = false;
  return allocationHolds(reinterpret_cast<uintptr_t>(address), bytes, &pinned) && pinned;
}

// Copies that wait: in the default stream's order, and done when they return.
static Result copyNow(Context* context, void* to, const void* from, size_t bytes) {
  const int put = enqueue(nullptr, [=] { memmove(to, from, bytes); return true; });
  if (put != CUDA_SUCCESS) return static_cast<Result>(put);
  drain(&context->defaultStream, true);
  return context->sticky;
}

API Result cuMemcpyHtoD_v2(void* to, const void* from, size_t bytes) {
  WITH_CONTEXT("cuMemcpyHtoD_v2");
  if (!isDevice(to, bytes)) return CUDA_ERROR_INVALID_VALUE;
  return copyNow(context, to, from, bytes);
}

API Result cuMemcpyDtoH_v2(void* to, const void* from, size_t bytes) {
  WITH_CONTEXT("cuMemcpyDtoH_v2");
  if (!isDevice(from, bytes)) return CUDA_ERROR_INVALID_VALUE;
  return copyNow(context, to, from, bytes);
}

API Result cuMemcpyDtoD_v2(void* to, const void* from, size_t bytes) {
  WITH_CONTEXT("cuMemcpyDtoD_v2");
  if (!isDevice(to, bytes) || !isDevice(from, bytes)) return CUDA_ERROR_INVALID_VALUE;
  return copyNow(context, to, from, bytes);
}

API Result cuMemcpyHtoDAsync_v2(void* to, const void* from, size_t bytes, void* stream) {
  WITH_CONTEXT("cuMemcpyHtoDAsync_v2");
  if (!isDevice(to, bytes)) return CUDA_ERROR_INVALID_VALUE;
  if (isPinned(from, bytes))
    return static_cast<Result>(enqueue(stream, [=] { memcpy(to, from, bytes); return true; }));
  // Ordinary memory is copied before the call returns; only the way to the GPU waits.
  const auto* start = static_cast<const unsigned char*>(from);
  auto staged = std::make_shared<std::vector<unsigned char>>(start, start + bytes);
  const auto copy = [=] { memcpy(to, staged->data(), staged->size()); return true; };
  return static_cast<Result>(enqueue(stream, copy));
}

API Result cuMemcpyDtoHAsync_v2(void* to, const void* from, size_t bytes, void* handle) {
  WITH_CONTEXT("cuMemcpyDtoHAsync_v2");
  if (!isDevice(from, bytes)) return CUDA_ERROR_INVALID_VALUE;
  const int put = enqueue(handle, [=] { memcpy(to, from, bytes); return true; });
  if (put != CUDA_SUCCESS) return static_cast<Result>(put);
  // Into ordinary memory it is done when the call returns.
  if (!isPinned(to, bytes)) drain(resolveStream(context, handle), true);
  return context->sticky;
}

API Result cuMemcpyDtoDAsync_v2(void* to, const void* from, size_t bytes, void* stream) {
  WITH_CONTEXT("cuMemcpyDtoDAsync_v2");
  if (!isDevice(to, bytes) || !isDevice(from, bytes)) return CUDA_ERROR_INVALID_VALUE;
  return static_cast<Result>(enqueue(stream, [=] { memmove(to, from, bytes); return true; }));
}

API Result cuMemcpyAsync(void* to, const void* from, size_t bytes, void* stream) {
  return cuMemcpyDtoDAsync_v2(to, from, bytes, stream);
}

template <class Unit>
static Result fill(void* to, Unit value, size_t count, void* stream) {
  if (!isDevice(to, count * sizeof(Unit))) return CUDA_ERROR_INVALID_VALUE;
  if (reinterpret_cast<uintptr_t>(to) % sizeof(Unit) != 0) return CUDA_ERROR_INVALID_VALUE;
  const auto work = [=] {
    std::fill_n(static_cast<Unit*>(to), count, value);
    return true;
  };
  return static_cast<Result>(enqueue(stream, work));
}

API Result cuMemsetD8Async(void* to, unsigned char value, size_t count, void* stream) {
  WITH_CONTEXT("cuMemsetD8Async");
  return fill<unsigned char>(to, value, count, stream);
}

API Result cuMemsetD16Async(void* to, unsigned short value, size_t count, void* stream) {
  WITH_CONTEXT("cuMemsetD16Async");
  return fill<unsigned short>(to, value, count, stream);
}

API Result cuMemsetD32Async(void* to, unsigned value, size_t count, void* stream) {
  WITH_CONTEXT("cuMemsetD32Async");
  return fill<unsigned>(to, value, count, stream);
}

API Result cuMemsetD8_v2(void* to, unsigned char value, size_t count) {
  WITH_CONTEXT("cuMemsetD8_v2");
  return fill<unsigned char>(to, value, count, nullptr);
}

API Result cuMemsetD32_v2(void* to, unsigned value, size_t count) {
  WITH_CONTEXT("cuMemsetD32_v2");
  return fill<unsigned>(to, value, count, nullptr);
}
