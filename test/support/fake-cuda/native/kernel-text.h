// What the fake NVRTC must know of a kernel text before g++ sees it.
#pragma once

#include <string>
#include <vector>

namespace fake {

struct KernelName {
  std::string name;
  // Whether it can reach a barrier or a shuffle, directly or through functions that it calls.
  bool waits;
};

// The kernels of a preprocessed text.
std::vector<KernelName> findKernels(const std::string& text);

// `extern __shared__ T name[];` as a pointer to the block's memory, which g++ understands.
std::string replaceDynamicShared(const std::string& text);

}  // namespace fake
