// The fake libcuda: devices, contexts, errors.
#include "driver-state.h"

using namespace fake;

static thread_local std::vector<Context*> contextStack;

Context* fake::currentContext() {
  return contextStack.empty() ? nullptr : contextStack.back();
}

static const std::map<int, std::pair<const char*, const char*>> errors = {
    {0, {"CUDA_SUCCESS", "no error"}},
    {1, {"CUDA_ERROR_INVALID_VALUE", "invalid argument"}},
    {2, {"CUDA_ERROR_OUT_OF_MEMORY", "out of memory"}},
    {3, {"CUDA_ERROR_NOT_INITIALIZED", "initialization error"}},
    {4, {"CUDA_ERROR_DEINITIALIZED", "driver shutting down"}},
    {46, {"CUDA_ERROR_DEVICE_UNAVAILABLE", "device is busy or unavailable"}},
    {100, {"CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"}},
    {101, {"CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"}},
    {200, {"CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"}},
    {201, {"CUDA_ERROR_INVALID_CONTEXT", "invalid device context"}},
    {209, {"CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available"}},
    {214, {"CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered"}},
    {218, {"CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"}},
    {304, {"CUDA_ERROR_OPERATING_SYSTEM", "OS call failed or not supported"}},
    {400, {"CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"}},
    {500, {"CUDA_ERROR_NOT_FOUND", "named symbol not found"}},
    {600, {"CUDA_ERROR_NOT_READY", "device not ready"}},
    {700, {"CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"}},
    {701, {"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"}},
    {702, {"CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"}},
    {719, {"CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"}},
    {801, {"CUDA_ERROR_NOT_SUPPORTED", "operation not supported"}},
    {802, {"CUDA_ERROR_SYSTEM_NOT_READY", "system not yet initialized"}},
    {803, {"CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "system has unsupported display driver"}},
    {999, {"CUDA_ERROR_UNKNOWN", "unknown error"}},
};

API Result cuGetErrorName(int error, const char** text) {
  const auto found = errors.find(error);
  *text = found == errors.end() ? nullptr : found->second.first;
  return found == errors.end() ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

API Result cuGetErrorString(int error, const char** text) {
  const auto found = errors.find(error);
  *text = found == errors.end() ? nullptr : found->second.second;
  return found == errors.end() ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

API Result cuInit(unsigned flags) {
  ENTER("cuInit");
  LOCK;
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (visibleDevices().empty()) return CUDA_ERROR_NO_DEVICE;
  driver().started = true;
  return CUDA_SUCCESS;
}

API Result cuDriverGetVersion(int* version) {
  ENTER("cuDriverGetVersion");
  *version = atoi(environment("FAKE_CUDA_DRIVER_VERSION", "13000").c_str());
  return CUDA_SUCCESS;
}

API Result cuDeviceGetCount(int* count) {
  ENTER("cuDeviceGetCount");
  if (!driver().started) return CUDA_ERROR_NOT_INITIALIZED;
  *count = static_cast<int>(visibleDevices().size());
  return CUDA_SUCCESS;
}

API Result cuDeviceGet(int* device, int ordinal) {
  ENTER("cuDeviceGet");
  if (!driver().started) return CUDA_ERROR_NOT_INITIALIZED;
  if (ordinal < 0 || ordinal >= static_cast<int>(visibleDevices().size()))
    return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

static int physicalOf(int device) {
  const std::vector<int> visible = visibleDevices();
  return device < 0 || device >= static_cast<int>(visible.size()) ? -1 : visible[device];
}

#define WITH_DEVICE(function)                                \
  ENTER(function);                                           \
  LOCK;                                                      \
  if (!driver().started) return CUDA_ERROR_NOT_INITIALIZED;  \
  const int physical = physicalOf(device);                   \
  if (physical < 0) return CUDA_ERROR_INVALID_DEVICE

API Result cuDeviceGetName(char* name, int size, int device) {
  WITH_DEVICE("cuDeviceGetName");
  copyText(deviceModel(), name, static_cast<size_t>(size));
  return CUDA_SUCCESS;
}

API Result cuDeviceGetUuid_v2(unsigned char* uuid, int device) {
  WITH_DEVICE("cuDeviceGetUuid_v2");
  deviceUuid(physical, uuid);
  return CUDA_SUCCESS;
}

API Result cuDeviceGetUuid(unsigned char* uuid, int device) { return cuDeviceGetUuid_v2(uuid, device); }

API Result cuDeviceGetPCIBusId(char* text, int size, int device) {
  WITH_DEVICE("cuDeviceGetPCIBusId");
  snprintf(text, static_cast<size_t>(size), "0000:%02X:00.0", pciBus(physical));
  return CUDA_SUCCESS;
}

API Result cuDeviceTotalMem_v2(size_t* bytes, int device) {
  WITH_DEVICE("cuDeviceTotalMem_v2");
  *bytes = deviceMemoryBytes();
  return CUDA_SUCCESS;
}

API Result cuDeviceGetAttribute(int* value, int attribute, int device) {
  WITH_DEVICE("cuDeviceGetAttribute");
  const int capability = atoi(environment("FAKE_CUDA_CAPABILITY", "90").c_str());
  switch (attribute) {
    case 1: *value = 1024; break;            // threads in a block
    case 2: case 3: *value = 1024; break;    // block, x and y
    case 4: *value = 64; break;              // block, z
    case 5: *value = 0x7fffffff; break;      // grid, x
    case 6: case 7: *value = 65535; break;   // grid, y and z
    case 8: *value = 49152; break;           // shared memory of a block
    case 10: *value = 32; break;             // threads in a warp
    case 12: *value = 65536; break;          // registers
    case 13: *value = 1980000; break;        // clock, kHz
    case 16: *value = atoi(environment("FAKE_CUDA_SMS", "132").c_str()); break;
    case 32: *value = 1; break;              // ECC
    case 33: *value = pciBus(physical); break;
    case 34: case 50: *value = 0; break;     // PCI device and domain
    case 36: *value = 3201000; break;        // memory clock, kHz
    case 37: *value = 6144; break;           // memory bus, bits
    case 38: *value = 62914560; break;       // L2
    case 39: *value = 2048; break;           // threads on a multiprocessor
    case 41: *value = 1; break;              // unified addressing
    case 75: *value = capability / 10; break;
    case 76: *value = capability % 10; break;
    case 81: *value = 233472; break;         // shared memory of a multiprocessor
    case 97: *value = 232448; break;         // shared memory of a block, when asked for
    default: *value = 0;
  }
  return CUDA_SUCCESS;
}

API Result cuDevicePrimaryCtxRetain(Context** out, int device) {
  WITH_DEVICE("cuDevicePrimaryCtxRetain");
  Context& context = driver().contexts[physical];
  context.physical = physical;
  context.defaultStream.context = &context;
  context.retained++;
  *out = &context;
  return CUDA_SUCCESS;
}

// Everything goes with the last one who held the context.
static void destroy(Context& context) {
  unloadModules(&context);
  context.defaultStream = Stream{};
  context.defaultStream.context = &context;
  for (Stream* stream : context.streams) delete stream;
  context.streams.clear();
  context.events.clear();
  auto& memory = driver().memory;
  for (auto entry = memory.begin(); entry != memory.end();) {
    const bool mine = entry->second.context == &context;
    if (mine) free(reinterpret_cast<void*>(entry->first));
    entry = mine ? memory.erase(entry) : std::next(entry);
  }
  context.usedBytes = 0;
  context.sticky = CUDA_SUCCESS;
}

API Result cuDevicePrimaryCtxRelease_v2(int device) {
  WITH_DEVICE("cuDevicePrimaryCtxRelease_v2");
  Context& context = driver().contexts[physical];
  if (context.retained == 0) return CUDA_ERROR_INVALID_CONTEXT;
  if (--context.retained == 0) destroy(context);
  return CUDA_SUCCESS;
}

API Result cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active) {
  WITH_DEVICE("cuDevicePrimaryCtxGetState");
  *flags = 0;
  *active = driver().contexts[physical].retained > 0 ? 1 : 0;
  return CUDA_SUCCESS;
}

API Result cuCtxSetCurrent(Context* context) {
  ENTER("cuCtxSetCurrent");
  if (!contextStack.empty()) contextStack.pop_back();
  if (context != nullptr) contextStack.push_back(context);
  return CUDA_SUCCESS;
}

API Result cuCtxGetCurrent(Context** context) {
  ENTER("cuCtxGetCurrent");
  *context = currentContext();
  return CUDA_SUCCESS;
}

API Result cuCtxPushCurrent_v2(Context* context) {
  ENTER("cuCtxPushCurrent_v2");
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  contextStack.push_back(context);
  return CUDA_SUCCESS;
}

API Result cuCtxPopCurrent_v2(Context** context) {
  ENTER("cuCtxPopCurrent_v2");
  if (contextStack.empty()) return CUDA_ERROR_INVALID_CONTEXT;
  if (context != nullptr) *context = contextStack.back();
  contextStack.pop_back();
  return CUDA_SUCCESS;
}

API Result cuCtxGetDevice(int* device) {
  WITH_CONTEXT("cuCtxGetDevice");
  const std::vector<int> visible = visibleDevices();
  for (size_t i = 0; i < visible.size(); i++)
    if (visible[i] == context->physical) *device = static_cast<int>(i);
  return CUDA_SUCCESS;
}

API Result cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  WITH_CONTEXT("cuCtxGetStreamPriorityRange");
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = -5;
  return CUDA_SUCCESS;
}

API Result cuCtxSynchronize() {
  WITH_CONTEXT("cuCtxSynchronize");
  return drainAll(context, true);
}

// How many streams, events, modules and stretches of memory are open, for tests of accounts.
API int fakeCudaOpenHandles() {
  LOCK;
  size_t open = driver().memory.size() + moduleCount();
  for (const Context& context : driver().contexts) open += context.streams.size() + context.events.size();
  return static_cast<int>(open);
}
