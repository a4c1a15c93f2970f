// The fake NVML. Readings are variables; `1:` before a value makes it GPU 1's alone, `none` makes the
// GPU not tell it, and several values are separated by commas:
//   FAKE_NVML_TEMPERATURE=45,1:88  FAKE_NVML_THROTTLE=1:0x40  FAKE_NVML_ECC_UNCORRECTED=none
// A value `a>b` is a for the first reading and b from then on: FAKE_NVML_ECC_CORRECTED=3>5.
#include <unistd.h>

#include "common.h"

enum Result : int {
  NVML_SUCCESS = 0,
  NVML_ERROR_UNINITIALIZED = 1,
  NVML_ERROR_INVALID_ARGUMENT = 2,
  NVML_ERROR_NOT_SUPPORTED = 3,
  NVML_ERROR_NOT_FOUND = 6,
  NVML_ERROR_INSUFFICIENT_SIZE = 7,
  NVML_ERROR_DRIVER_NOT_LOADED = 9,
};

using namespace fake;

namespace {

struct Device {
  int physical;
};

int started = 0;
Device devices[devicesMax];
std::map<std::string, long> readings;

// A reading of one GPU; false when it does not tell.
bool reading(const char* name, int physical, const char* fallback, unsigned long long* value) {
  const std::string variable = std::string("FAKE_NVML_") + name;
  std::string chosen = fallback;
  for (const std::string& entry : split(environment(variable.c_str(), fallback), ',')) {
    const size_t colon = entry.find(':');
    if (colon == std::string::npos) chosen = entry;
    else if (atoi(entry.substr(0, colon).c_str()) == physical) chosen = entry.substr(colon + 1);
  }
  const size_t change = chosen.find('>');
  if (change != std::string::npos) {
    const bool first = readings[variable + std::to_string(physical) + chosen]++ == 0;
    chosen = first ? chosen.substr(0, change) : chosen.substr(change + 1);
  }
  if (chosen == "none") return false;
  *value = strtoull(chosen.c_str(), nullptr, 0);
  return true;
}

template <class T>
Result give(const char* name, const Device* device, const char* fallback, T* into) {
  unsigned long long value = 0;
  if (!reading(name, device->physical, fallback, &value)) return NVML_ERROR_NOT_SUPPORTED;
  *into = static_cast<T>(value);
  return NVML_SUCCESS;
}

}  // namespace

#define WITH_NVML(function) \
  ENTER(function);          \
  if (started == 0) return NVML_ERROR_UNINITIALIZED
#define WITH_GPU(function) \
  WITH_NVML(function);     \
  if (device == nullptr) return NVML_ERROR_INVALID_ARGUMENT

API Result nvmlInit_v2() {
  ENTER("nvmlInit_v2");
  if (physicalDevices() == 0) return NVML_ERROR_DRIVER_NOT_LOADED;
  for (int i = 0; i < devicesMax; i++) devices[i].physical = i;
  started++;
  return NVML_SUCCESS;
}

API Result nvmlShutdown() {
  WITH_NVML("nvmlShutdown");
  started--;
  return NVML_SUCCESS;
}

API const char* nvmlErrorString(int code) {
  switch (code) {
    case 0: return "The operation was successful";
    case 1: return "Uninitialized";
    case 2: return "Invalid Argument";
    case 3: return "Not Supported";
    case 4: return "Insufficient Permissions";
    case 6: return "Not Found";
    case 7: return "Insufficient Size";
    case 9: return "Driver Not Loaded";
    case 15: return "GPU is lost";
    default: return "Unknown Error";
  }
}

API Result nvmlSystemGetDriverVersion(char* text, unsigned size) {
  WITH_NVML("nvmlSystemGetDriverVersion");
  copyText(environment("FAKE_NVML_DRIVER", "580.95.05"), text, size);
  return NVML_SUCCESS;
}

API Result nvmlDeviceGetCount_v2(unsigned* count) {
  WITH_NVML("nvmlDeviceGetCount_v2");
  *count = static_cast<unsigned>(physicalDevices());
  return NVML_SUCCESS;
}

API Result nvmlDeviceGetHandleByIndex_v2(unsigned index, Device** device) {
  WITH_NVML("nvmlDeviceGetHandleByIndex_v2");
  if (index >= static_cast<unsigned>(physicalDevices())) return NVML_ERROR_INVALID_ARGUMENT;
  *device = &devices[index];
  return NVML_SUCCESS;
}

API Result nvmlDeviceGetHandleByUUID(const char* uuid, Device** device) {
  WITH_NVML("nvmlDeviceGetHandleByUUID");
  for (int i = 0; i < physicalDevices(); i++) {
    if (uuidText(i) != uuid) continue;
    *device = &devices[i];
    return NVML_SUCCESS;
  }
  return NVML_ERROR_NOT_FOUND;
}

API Result nvmlDeviceGetName(Device* device, char* text, unsigned size) {
  WITH_GPU("nvmlDeviceGetName");
  copyText(deviceModel(), text, size);
  return NVML_SUCCESS;
}

API Result nvmlDeviceGetUUID(Device* device, char* text, unsigned size) {
  WITH_GPU("nvmlDeviceGetUUID");
  copyText(uuidText(device->physical), text, size);
  return NVML_SUCCESS;
}

API Result nvmlDeviceGetMinorNumber(Device* device, unsigned* minor) {
  WITH_GPU("nvmlDeviceGetMinorNumber");
  return give("MINOR", device, std::to_string(device->physical).c_str(), minor);
}

struct PciInfo {
  char busIdLegacy[16];
  unsigned domain, bus, device, deviceId, subSystemId;
  char busId[32];
};

API Result nvmlDeviceGetPciInfo_v3(Device* device, PciInfo* info) {
  WITH_GPU("nvmlDeviceGetPciInfo_v3");
  const int bus = pciBus(device->physical);
  memset(info, 0, sizeof *info);
  info->bus = static_cast<unsigned>(bus);
  snprintf(info->busIdLegacy, sizeof info->busIdLegacy, "0000:%02X:00.0", bus);
  snprintf(info->busId, sizeof info->busId, "00000000:%02X:00.0", bus);
  return NVML_SUCCESS;
}

API Result nvmlDeviceGetClockInfo(Device* device, int type, unsigned* mhz) {
  WITH_GPU("nvmlDeviceGetClockInfo");
  if (type == 2) return give("MEMORY_CLOCK", device, "3201", mhz);
  return give("SM_CLOCK", device, "1980", mhz);
}

API Result nvmlDeviceGetPowerUsage(Device* device, unsigned* milliwatts) {
  WITH_GPU("nvmlDeviceGetPowerUsage");
  return give("POWER_MW", device, "412500", milliwatts);
}

API Result nvmlDeviceGetTemperature(Device* device, int, unsigned* celsius) {
  WITH_GPU("nvmlDeviceGetTemperature");
  return give("TEMPERATURE", device, "54", celsius);
}

struct Utilization {
  unsigned gpu, memory;
};

API Result nvmlDeviceGetUtilizationRates(Device* device, Utilization* rates) {
  WITH_GPU("nvmlDeviceGetUtilizationRates");
  rates->memory = 0;
  return give("UTILIZATION", device, "97", &rates->gpu);
}

struct Memory {
  unsigned long long total, free, used;
};

API Result nvmlDeviceGetMemoryInfo(Device* device, Memory* memory) {
  WITH_GPU("nvmlDeviceGetMemoryInfo");
  memory->total = deviceMemoryBytes();
  const Result given = give("MEMORY_USED", device, "600000000", &memory->used);
  memory->free = memory->total - memory->used;
  return given;
}

API Result nvmlDeviceGetCurrentClocksEventReasons(Device* device, unsigned long long* reasons) {
  WITH_GPU("nvmlDeviceGetCurrentClocksEventReasons");
  return give("THROTTLE", device, "0", reasons);
}

API Result nvmlDeviceGetCurrentClocksThrottleReasons(Device* device, unsigned long long* reasons) {
  WITH_GPU("nvmlDeviceGetCurrentClocksThrottleReasons");
  return give("THROTTLE", device, "0", reasons);
}

API Result nvmlDeviceGetTotalEccErrors(Device* device, int type, int, unsigned long long* count) {
  WITH_GPU("nvmlDeviceGetTotalEccErrors");
  return give(type == 0 ? "ECC_CORRECTED" : "ECC_UNCORRECTED", device, "0", count);
}

API Result nvmlDeviceGetRemappedRows(Device* device, unsigned* corrected, unsigned* uncorrected, unsigned* pending,
                                     unsigned* failed) {
  WITH_GPU("nvmlDeviceGetRemappedRows");
  const Result first = give("REMAPPED_CORRECTED", device, "0", corrected);
  if (first != NVML_SUCCESS) return first;
  *failed = 0;
  give("REMAPPED_UNCORRECTED", device, "0", uncorrected);
  return give("REMAP_PENDING", device, "0", pending);
}

API Result nvmlDeviceGetRetiredPages(Device* device, int cause, unsigned* count, unsigned long long* addresses) {
  WITH_GPU("nvmlDeviceGetRetiredPages");
  unsigned pages = 0;
  // Like all GPUs that replace rows, this one has no pages to retire unless told so.
  const Result given = give("RETIRED_PAGES", device, "none", &pages);
  if (given != NVML_SUCCESS) return given;
  if (cause != 0) pages = 0;
  if (*count < pages) {
    *count = pages;
    return NVML_ERROR_INSUFFICIENT_SIZE;
  }
  *count = pages;
  for (unsigned i = 0; i < pages && addresses != nullptr; i++) addresses[i] = 0x1000u * i;
  return NVML_SUCCESS;
}

API Result nvmlDeviceGetPcieReplayCounter(Device* device, unsigned* count) {
  WITH_GPU("nvmlDeviceGetPcieReplayCounter");
  return give("PCIE_REPLAYS", device, "0", count);
}

API Result nvmlDeviceGetNvLinkState(Device* device, unsigned link, unsigned* active) {
  WITH_GPU("nvmlDeviceGetNvLinkState");
  unsigned long long links = 0;
  if (!reading("NVLINKS", device->physical, "18", &links)) return NVML_ERROR_NOT_SUPPORTED;
  if (link >= links) return NVML_ERROR_INVALID_ARGUMENT;
  *active = 1;
  return NVML_SUCCESS;
}

API Result nvmlDeviceGetNvLinkErrorCounter(Device* device, unsigned link, int counter, unsigned long long* count) {
  WITH_GPU("nvmlDeviceGetNvLinkErrorCounter");
  if (link != 0 || counter != 0) {
    *count = 0;
    return NVML_SUCCESS;
  }
  return give("NVLINK_ERRORS", device, "0", count);
}

API Result nvmlDeviceGetTotalEnergyConsumption(Device* device, unsigned long long* millijoules) {
  WITH_GPU("nvmlDeviceGetTotalEnergyConsumption");
  return give("ENERGY_MJ", device, "1000000", millijoules);
}

struct Process {
  unsigned pid;
  unsigned long long memoryBytes;
  unsigned gpuInstance, computeInstance;
};

// FAKE_NVML_PROCESSES=1:4242 is one process, 4242, on GPU 1.
API Result nvmlDeviceGetComputeRunningProcesses_v3(Device* device, unsigned* count, Process* processes) {
  WITH_GPU("nvmlDeviceGetComputeRunningProcesses_v3");
  unsigned long long pid = 0;
  const bool one = reading("PROCESSES", device->physical, "none", &pid);
  const unsigned room = *count;
  *count = one ? 1 : 0;
  if (room < *count) return NVML_ERROR_INSUFFICIENT_SIZE;
  if (one) processes[0] = {static_cast<unsigned>(pid), 536870912ull, 0xffffffffu, 0xffffffffu};
  return NVML_SUCCESS;
}

struct FieldValue {
  unsigned field, scope;
  long long timestamp, latencyUs;
  int type;
  int result;
  unsigned long long value;
};

API Result nvmlDeviceGetFieldValues(Device* device, int count, FieldValue* values) {
  WITH_GPU("nvmlDeviceGetFieldValues");
  constexpr unsigned memoryTemperature = 82;
  for (int i = 0; i < count; i++) {
    values[i].type = 1;
    values[i].value = 0;
    values[i].result = values[i].field == memoryTemperature
                           ? give("MEMORY_TEMPERATURE", device, "61", &values[i].value)
                           : NVML_ERROR_NOT_SUPPORTED;
  }
  return NVML_SUCCESS;
}
