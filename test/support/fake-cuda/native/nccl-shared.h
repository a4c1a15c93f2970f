// Memory that the ranks of the fake NCCL share: a file that the unique id names.
#pragma once

#include <atomic>

#include "common.h"

namespace fake {

constexpr int ranksMax = 16;
constexpr size_t chunkBytes = 64 * 1024;

// From one rank to another: a chunk at a time.
struct Slot {
  std::atomic<uint64_t> written, read;
  unsigned char bytes[chunkBytes];
};

struct Shared {
  std::atomic<int> ranks, joined, aborted;
  std::atomic<int> pids[ranksMax];
  // Ranks that left in order are not missed.
  std::atomic<int> left[ranksMax];
  Slot slots[ranksMax][ranksMax];
};

// Bytes to or from a peer.
struct Transfer {
  bool sends;
  int peer;
  unsigned char* data;
  size_t bytes;
  size_t done = 0;
};

}  // namespace fake
