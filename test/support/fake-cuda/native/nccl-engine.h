// The fake NCCL at work: a group of ranks, transfers between them, and their order on streams.
#pragma once

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>

#include <memory>

#include "driver.h"
#include "nccl-log.h"
#include "nccl-reduce.h"

enum Result : int {
  ncclSuccess = 0,
  ncclUnhandledCudaError = 1,
  ncclSystemError = 2,
  ncclInternalError = 3,
  ncclInvalidArgument = 4,
  ncclInvalidUsage = 5,
  ncclRemoteError = 6,
  ncclInProgress = 7,
};

using namespace fake;

namespace {

// Transfers that go on together, and what is done with their answer.
struct Operation {
  Comm* comm;
  std::vector<Transfer> transfers;
  std::vector<std::function<void()>> finish;
};

thread_local int groupDepth = 0;
thread_local std::vector<std::pair<void*, std::shared_ptr<Operation>>> group;

void fail(Comm* comm, Result error, const std::string& why) {
  if (comm->error == ncclSuccess) comm->lastError = why;
  comm->error = error;
}

// A rank whose process is gone without having left will never answer.
bool someoneIsLost(Comm* comm) {
  if (comm->shared->aborted != 0) return true;
  for (int i = 0; i < comm->ranks; i++) {
    const int pid = comm->shared->pids[i];
    if (pid != 0 && comm->shared->left[i] == 0 && kill(pid, 0) != 0 && errno == ESRCH) return true;
  }
  return false;
}

bool moveChunk(Comm* comm, Transfer& transfer) {
  Slot& slot = transfer.sends ? comm->shared->slots[comm->rank][transfer.peer]
                              : comm->shared->slots[transfer.peer][comm->rank];
  const bool full = slot.written.load() != slot.read.load();
  if (full == transfer.sends) return false;
  const size_t count = std::min(chunkBytes, transfer.bytes - transfer.done);
  if (transfer.sends) memcpy(slot.bytes, transfer.data + transfer.done, count);
  else memcpy(transfer.data + transfer.done, slot.bytes, count);
  (transfer.sends ? slot.written : slot.read)++;
  transfer.done += count;
  return true;
}

// Moves what can be moved: to and from each peer one transfer after the other.
bool progress(Operation& operation, bool* all) {
  bool moved = false;
  bool busy[2][ranksMax] = {};
  *all = true;
  for (Transfer& transfer : operation.transfers) {
    if (transfer.done == transfer.bytes) continue;
    *all = false;
    bool& line = busy[transfer.sends][transfer.peer];
    if (line) continue;
    line = true;
    moved = moveChunk(operation.comm, transfer) || moved;
  }
  return moved;
}

bool work(Operation& operation) {
  constexpr int idleMax = 200;
  Comm* comm = operation.comm;
  if (comm->error != ncclSuccess || comm->aborted) return true;
  for (int idle = 0; idle < idleMax;) {
    bool all = false;
    const bool moved = progress(operation, &all);
    if (all) {
      for (auto& finish : operation.finish) finish();
      return true;
    }
    idle = moved ? 0 : idle + 1;
    if (!moved) sched_yield();
  }
  if (!someoneIsLost(comm)) return false;
  fail(comm, ncclRemoteError, "a peer has ended");
  return true;
}

Result put(void* stream, std::shared_ptr<Operation> operation) {
  const int code = enqueue(stream, [operation] { return work(*operation); });
  return code == 0 ? ncclSuccess : ncclUnhandledCudaError;
}

// Now, or with the others of its group.
Result submit(void* stream, Operation operation) {
  auto shared = std::make_shared<Operation>(std::move(operation));
  if (groupDepth == 0) return put(stream, shared);
  for (auto& [other, gathered] : group) {
    if (other != stream || gathered->comm != shared->comm) continue;
    auto& into = *gathered;
    into.transfers.insert(into.transfers.end(), shared->transfers.begin(), shared->transfers.end());
    into.finish.insert(into.finish.end(), shared->finish.begin(), shared->finish.end());
    return ncclSuccess;
  }
  group.emplace_back(stream, shared);
  return ncclSuccess;
}

std::string folder() {
  Dl_info info;
  dladdr(reinterpret_cast<void*>(&folder), &info);
  const std::string path = info.dli_fname;
  return path.substr(0, path.rfind('/'));
}

Shared* mapShared(const char* path) {
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return nullptr;
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return memory == MAP_FAILED ? nullptr : static_cast<Shared*>(memory);
}

// Whether all ranks have come; the last to notice needs the file's name no more.
bool meet(Comm* comm, const std::string& path) {
  if (comm->ready) return true;
  if (comm->shared->joined < comm->ranks) return false;
  comm->ready = true;
  unlink(path.c_str());
  logStart(comm);
  return true;
}

std::map<Comm*, std::string> waiting;

bool isMemory(const void* address, size_t count, int type) {
  return isDeviceMemory(address, count * elementBytes(type));
}

}  // namespace
