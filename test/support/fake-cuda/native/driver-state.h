// The state of the fake libcuda: contexts, memory, streams, events.
#pragma once

#include <deque>
#include <memory>
#include <set>

#include "driver.h"

enum Result : int {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_INVALID_IMAGE = 200,
  CUDA_ERROR_INVALID_CONTEXT = 201,
  CUDA_ERROR_INVALID_HANDLE = 400,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_ILLEGAL_ADDRESS = 700,
  CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
  CUDA_ERROR_LAUNCH_FAILED = 719,
};

namespace fake {

struct Context;

struct Stream {
  Context* context = nullptr;
  bool nonBlocking = false;
  int priority = 0;
  std::deque<Work> queue;
  // A kernel that never ends; see FAKE_CUDA_HANG.
  bool hung = false;
};

struct Event {
  Context* context = nullptr;
  bool timed = true;
  // Its records that are not done, by their number, and the stream each is on.
  std::map<long, Stream*> pending;
  // How often it was recorded: waiting is for the last one at that time.
  long requested = 0;
  double atMs = 0;
};

struct Context {
  int physical = 0;
  int retained = 0;
  size_t usedBytes = 0;
  // An error in a kernel: every later call answers it until the context is gone.
  Result sticky = CUDA_SUCCESS;
  Stream defaultStream;
  std::set<Stream*> streams;
  std::set<Event*> events;
};

struct Allocation {
  size_t bytes = 0;
  Context* context = nullptr;
  bool pinned = false;
};

struct Driver {
  std::recursive_mutex mutex;
  bool started = false;
  Context contexts[devicesMax];
  std::map<uintptr_t, Allocation> memory;
};

Driver& driver();

// Physical GPUs that CUDA_VISIBLE_DEVICES leaves, in its order.
std::vector<int> visibleDevices();

Context* currentContext();
Stream* resolveStream(Context* context, void* handle);
bool allocationHolds(uintptr_t address, size_t bytes, bool* pinned = nullptr);

// Carries out what is on the stream, and what that waits for. False: something waits for another
// process or never ends; with `block` it only returns when all is done.
bool drain(Stream* stream, bool block);
Result drainAll(Context* context, bool block);

// Carries out what stands before a record of an event, and no more: what comes later on that
// stream may wait for the one who asks. False when it cannot be reached now.
bool reach(Event* event, long record);

// Modules go with their context, or before.
void unloadModules(Context* context);
size_t moduleCount();

double nowMs();

}  // namespace fake

#define LOCK std::lock_guard<std::recursive_mutex> guard(fake::driver().mutex)
// The start of every call that needs a context: an injected failure, a lock, a context that works.
#define WITH_CONTEXT(function)                                    \
  ENTER(function);                                                \
  LOCK;                                                           \
  if (!fake::driver().started) return CUDA_ERROR_NOT_INITIALIZED; \
  fake::Context* context = fake::currentContext();                \
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;      \
  if (context->sticky != CUDA_SUCCESS) return context->sticky
