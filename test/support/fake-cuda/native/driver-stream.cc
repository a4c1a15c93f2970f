// The fake libcuda: streams and events.
#include <unistd.h>

#include "driver-state.h"

using namespace fake;

API Result cuStreamCreateWithPriority(void** out, unsigned flags, int priority) {
  WITH_CONTEXT("cuStreamCreateWithPriority");
  if (flags > 1) return CUDA_ERROR_INVALID_VALUE;
  Stream* stream = new Stream;
  stream->context = context;
  stream->nonBlocking = flags == 1;
  stream->priority = priority > 0 ? 0 : priority < -5 ? -5 : priority;
  context->streams.insert(stream);
  *out = stream;
  return CUDA_SUCCESS;
}

API Result cuStreamCreate(void** out, unsigned flags) { return cuStreamCreateWithPriority(out, flags, 0); }

#define WITH_STREAM(function)                        \
  WITH_CONTEXT(function);                            \
  Stream* stream = resolveStream(context, handle);   \
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE

API Result cuStreamGetPriority(void* handle, int* priority) {
  WITH_STREAM("cuStreamGetPriority");
  *priority = stream->priority;
  return CUDA_SUCCESS;
}

API Result cuStreamDestroy_v2(void* handle) {
  WITH_STREAM("cuStreamDestroy_v2");
  if (stream == &context->defaultStream) return CUDA_ERROR_INVALID_HANDLE;
  if (!stream->hung) drain(stream, true);
  for (Event* event : context->events)
    for (auto it = event->pending.begin(); it != event->pending.end();)
      it = it->second == stream ? event->pending.erase(it) : std::next(it);
  context->streams.erase(stream);
  delete stream;
  return context->sticky;
}

API Result cuStreamSynchronize(void* handle) {
  WITH_STREAM("cuStreamSynchronize");
  drain(stream, true);
  return context->sticky;
}

API Result cuStreamQuery(void* handle) {
  WITH_STREAM("cuStreamQuery");
  // Whoever asks sees at least once that there is something to wait for.
  const bool wasBusy = stream->hung || !stream->queue.empty();
  drain(stream, false);
  if (context->sticky != CUDA_SUCCESS) return context->sticky;
  return wasBusy ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

static Event* resolveEvent(Context* context, void* handle) {
  Event* event = static_cast<Event*>(handle);
  return context->events.count(event) > 0 ? event : nullptr;
}

#define WITH_EVENT(function)                      \
  WITH_CONTEXT(function);                         \
  Event* event = resolveEvent(context, eventHandle); \
  if (event == nullptr) return CUDA_ERROR_INVALID_HANDLE

API Result cuEventCreate(void** out, unsigned flags) {
  WITH_CONTEXT("cuEventCreate");
  constexpr unsigned disableTiming = 2;
  Event* event = new Event;
  event->context = context;
  event->timed = (flags & disableTiming) == 0;
  context->events.insert(event);
  *out = event;
  return CUDA_SUCCESS;
}

API Result cuEventDestroy_v2(void* eventHandle) {
  WITH_EVENT("cuEventDestroy_v2");
  // Work that waits for it still may; it is forgotten, not freed.
  context->events.erase(event);
  return CUDA_SUCCESS;
}

API Result cuEventRecord(void* eventHandle, void* handle) {
  WITH_EVENT("cuEventRecord");
  Stream* stream = resolveStream(context, handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const long number = event->requested + 1;
  const int put = enqueue(handle, [event, number] {
    event->pending.erase(number);
    event->atMs = nowMs();
    return true;
  });
  if (put != CUDA_SUCCESS) return static_cast<Result>(put);
  event->requested = number;
  event->pending[number] = stream;
  return CUDA_SUCCESS;
}

API Result cuEventQuery(void* eventHandle) {
  WITH_EVENT("cuEventQuery");
  const bool wasBusy = event->pending.count(event->requested) > 0;
  reach(event, event->requested);
  if (context->sticky != CUDA_SUCCESS) return context->sticky;
  return wasBusy ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

API Result cuEventSynchronize(void* eventHandle) {
  WITH_EVENT("cuEventSynchronize");
  while (!reach(event, event->requested)) usleep(200);
  return context->sticky;
}

API Result cuStreamWaitEvent(void* handle, void* eventHandle, unsigned) {
  WITH_EVENT("cuStreamWaitEvent");
  const long wanted = event->requested;
  return static_cast<Result>(enqueue(handle, [event, wanted] { return reach(event, wanted); }));
}

// FAKE_CUDA_SLOW=device:factor makes everything on a GPU seem to take longer.
static double slowness(int physical) {
  static Rules rules("FAKE_CUDA_SLOW");
  double factor = 1;
  rules.each([&](const std::vector<std::string>& rule, std::map<std::string, long>&) {
    if (rule.size() == 2 && atoi(rule[0].c_str()) == physical) factor = atof(rule[1].c_str());
  });
  return factor;
}

static Result elapsed(Context* context, float* ms, void* startHandle, void* endHandle) {
  Event* start = resolveEvent(context, startHandle);
  Event* end = resolveEvent(context, endHandle);
  if (start == nullptr || end == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (!start->timed || !end->timed) return CUDA_ERROR_INVALID_HANDLE;
  if (start->requested == 0 || end->requested == 0) return CUDA_ERROR_INVALID_HANDLE;
  if (start->pending.count(start->requested) > 0 || end->pending.count(end->requested) > 0) return CUDA_ERROR_NOT_READY;
  *ms = static_cast<float>((end->atMs - start->atMs) * slowness(context->physical));
  return CUDA_SUCCESS;
}

API Result cuEventElapsedTime(float* ms, void* start, void* end) {
  WITH_CONTEXT("cuEventElapsedTime");
  return elapsed(context, ms, start, end);
}

API Result cuEventElapsedTime_v2(float* ms, void* start, void* end) {
  WITH_CONTEXT("cuEventElapsedTime_v2");
  return elapsed(context, ms, start, end);
}
