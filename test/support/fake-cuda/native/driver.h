// What the fake libcuda offers to the fake cuBLAS and NCCL: its streams.
#pragma once

#include <functional>
#include <string>

#include "common.h"

namespace fake {

// A piece of work on a stream. It answers false when it must be asked again later (it waits for
// another process), and true when it is done.
using Work = std::function<bool()>;

// Puts work on a stream of the current context. Answers a CUresult.
__attribute__((visibility("default"))) int enqueue(void* stream, Work work);

// The GPU of the calling thread's context as the machine counts it, or -1.
__attribute__((visibility("default"))) int currentPhysicalDevice();

// Whether the bytes lie in one allocation of device or pinned memory.
__attribute__((visibility("default"))) bool isDeviceMemory(const void* address, size_t bytes);

// Breaks what FAKE_CUDA_FLIP wants broken in the output of this piece of work.
__attribute__((visibility("default"))) void flipOutput(int physical, const std::string& name,
                                                       void* output);

}  // namespace fake
