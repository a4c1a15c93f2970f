// Memory, streams and the order of work. Nothing on a stream is done when it is put there: it is
// done when somebody waits for it or asks, so that a forgotten wait shows as a wrong answer.
#include "driver-state.h"

#include <time.h>
#include <unistd.h>

namespace fake {

Driver& driver() {
  static Driver* instance = new Driver;
  return *instance;
}

std::vector<int> visibleDevices() {
  const int count = physicalDevices();
  std::vector<int> visible;
  const char* list = getenv("CUDA_VISIBLE_DEVICES");
  if (list == nullptr) {
    for (int i = 0; i < count; i++) visible.push_back(i);
    return visible;
  }
  for (const std::string& entry : split(list, ',')) {
    int found = -1;
    for (int i = 0; i < count; i++)
      if (entry == uuidText(i) || entry == std::to_string(i)) found = i;
    // As with the real one: a name that is not there hides all that follow.
    if (found < 0) break;
    visible.push_back(found);
  }
  return visible;
}

double nowMs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

Stream* resolveStream(Context* context, void* handle) {
  // 0, 1 and 2 are the default streams.
  if (reinterpret_cast<uintptr_t>(handle) <= 2) return &context->defaultStream;
  Stream* stream = static_cast<Stream*>(handle);
  return context->streams.count(stream) > 0 ? stream : nullptr;
}

bool allocationHolds(uintptr_t address, size_t bytes, bool* pinned) {
  auto& memory = driver().memory;
  auto after = memory.upper_bound(address);
  if (after == memory.begin()) return false;
  const auto& [start, allocation] = *std::prev(after);
  if (address - start > allocation.bytes || bytes > allocation.bytes - (address - start)) return false;
  if (pinned != nullptr) *pinned = allocation.pinned;
  return true;
}

// Carries out the first piece of work. False when it cannot end now.
static bool advance(Stream* stream) {
  // It hangs as long as the variable says so.
  if (stream->hung && !environment("FAKE_CUDA_HANG").empty()) return false;
  stream->hung = false;
  if (stream->queue.empty()) return true;
  Work work = stream->queue.front();
  if (!work()) return false;
  if (stream->hung) return false;
  stream->queue.pop_front();
  return true;
}

bool drain(Stream* stream, bool block) {
  while (stream->hung || !stream->queue.empty()) {
    if (stream->context->sticky != CUDA_SUCCESS) {
      stream->queue.clear();
      return true;
    }
    if (advance(stream)) continue;
    if (!block) return false;
    usleep(200);
  }
  return true;
}

bool reach(Event* event, long record) {
  while (event->pending.count(record) > 0) {
    if (event->context->sticky != CUDA_SUCCESS) return true;
    if (!advance(event->pending.at(record))) return false;
  }
  return true;
}

Result drainAll(Context* context, bool block) {
  bool done = drain(&context->defaultStream, block);
  for (Stream* stream : context->streams) done = drain(stream, block) && done;
  if (context->sticky != CUDA_SUCCESS) return context->sticky;
  return done ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

// The default stream and the streams that are not "non-blocking" wait for each other.
static void orderWithDefaultStream(Context* context, Stream* stream) {
  if (stream == &context->defaultStream) {
    for (Stream* other : context->streams)
      if (!other->nonBlocking) drain(other, true);
  } else if (!stream->nonBlocking) {
    drain(&context->defaultStream, true);
  }
}

int enqueue(void* handle, Work work) {
  constexpr size_t queueMax = 4096;
  LOCK;
  Context* context = currentContext();
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (context->sticky != CUDA_SUCCESS) return context->sticky;
  Stream* stream = resolveStream(context, handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  orderWithDefaultStream(context, stream);
  if (stream->queue.size() >= queueMax) drain(stream, true);
  stream->queue.push_back(std::move(work));
  return context->sticky;
}

int currentPhysicalDevice() {
  Context* context = currentContext();
  return context == nullptr ? -1 : context->physical;
}

bool isDeviceMemory(const void* address, size_t bytes) {
  LOCK;
  return allocationHolds(reinterpret_cast<uintptr_t>(address), bytes);
}

void flipOutput(int physical, const std::string& name, void* output) {
  static Rules rules("FAKE_CUDA_FLIP");
  rules.each([&](const std::vector<std::string>& rule, std::map<std::string, long>& counts) {
    if (rule.size() < 4 || atoi(rule[0].c_str()) != physical) return;
    if (rule[1] != name && rule[1] != "*") return;
    const long count = ++counts[rule[0] + rule[1] + rule[2] + rule[3]];
    if (!isTurn(rule[2], count)) return;
    const unsigned long bit = strtoul(rule[3].c_str(), nullptr, 10);
    unsigned char* byte = static_cast<unsigned char*>(output) + bit / 8;
    if (allocationHolds(reinterpret_cast<uintptr_t>(byte), 1)) *byte ^= 1u << bit % 8;
  });
}

}  // namespace fake
