import type { Prototypes } from "./bind.ts";

/**
 * Functions of NVML as drivers since 450 have them. Each answers an nvmlReturn_t. A GPU is a bigint;
 * results arrive in the little-endian buffers given for them.
 */
export interface NvmlFunctions {
  nvmlInit_v2(): number;
  nvmlShutdown(): number;
  nvmlDeviceGetCount_v2(count: Uint8Array): number;
  nvmlDeviceGetHandleByIndex_v2(index: number, device: Uint8Array): number;
  nvmlDeviceGetName(device: bigint, text: Uint8Array, bytes: number): number;
  nvmlDeviceGetUUID(device: bigint, text: Uint8Array, bytes: number): number;
  nvmlDeviceGetPciInfo_v3(device: bigint, info: Uint8Array): number;
  nvmlDeviceGetMinorNumber(device: bigint, minor: Uint8Array): number;
  nvmlDeviceGetClockInfo(device: bigint, clock: number, mhz: Uint8Array): number;
  nvmlDeviceGetPowerUsage(device: bigint, milliwatts: Uint8Array): number;
  nvmlDeviceGetTemperature(device: bigint, sensor: number, celsius: Uint8Array): number;
  nvmlDeviceGetFieldValues(device: bigint, count: number, values: Uint8Array): number;
  nvmlDeviceGetUtilizationRates(device: bigint, rates: Uint8Array): number;
  nvmlDeviceGetMemoryInfo(device: bigint, memory: Uint8Array): number;
  /** Since 535; the older name still works in later drivers. */
  nvmlDeviceGetCurrentClocksEventReasons(device: bigint, reasons: Uint8Array): number;
  nvmlDeviceGetCurrentClocksThrottleReasons(device: bigint, reasons: Uint8Array): number;
  nvmlDeviceGetTotalEccErrors(
    device: bigint,
    errorType: number,
    counterType: number,
    count: Uint8Array,
  ): number;
  nvmlDeviceGetRemappedRows(
    device: bigint,
    correctable: Uint8Array,
    uncorrectable: Uint8Array,
    pending: Uint8Array,
    failed: Uint8Array,
  ): number;
  nvmlDeviceGetRetiredPages(
    device: bigint,
    cause: number,
    count: Uint8Array,
    addresses: Uint8Array | null,
  ): number;
  nvmlDeviceGetPcieReplayCounter(device: bigint, count: Uint8Array): number;
  nvmlDeviceGetNvLinkState(device: bigint, link: number, active: Uint8Array): number;
  nvmlDeviceGetNvLinkErrorCounter(
    device: bigint,
    link: number,
    counter: number,
    count: Uint8Array,
  ): number;
  nvmlDeviceGetTotalEnergyConsumption(device: bigint, millijoules: Uint8Array): number;
  nvmlDeviceGetComputeRunningProcesses_v3(
    device: bigint,
    count: Uint8Array,
    processes: Uint8Array,
  ): number;
}

export const nvmlPrototypes: Prototypes<NvmlFunctions> = {
  nvmlInit_v2: "int nvmlInit_v2()",
  nvmlShutdown: "int nvmlShutdown()",
  nvmlDeviceGetCount_v2: "int nvmlDeviceGetCount_v2(void *count)",
  nvmlDeviceGetHandleByIndex_v2: "int nvmlDeviceGetHandleByIndex_v2(uint32 index, void *device)",
  nvmlDeviceGetName: "int nvmlDeviceGetName(void *device, void *text, uint32 bytes)",
  nvmlDeviceGetUUID: "int nvmlDeviceGetUUID(void *device, void *text, uint32 bytes)",
  nvmlDeviceGetPciInfo_v3: "int nvmlDeviceGetPciInfo_v3(void *device, void *info)",
  nvmlDeviceGetMinorNumber: "int nvmlDeviceGetMinorNumber(void *device, void *minor)",
  nvmlDeviceGetClockInfo: "int nvmlDeviceGetClockInfo(void *device, int clock, void *mhz)",
  nvmlDeviceGetPowerUsage: "int nvmlDeviceGetPowerUsage(void *device, void *milliwatts)",
  nvmlDeviceGetTemperature: "int nvmlDeviceGetTemperature(void *device, int sensor, void *celsius)",
  nvmlDeviceGetFieldValues: "int nvmlDeviceGetFieldValues(void *device, int count, void *values)",
  nvmlDeviceGetUtilizationRates: "int nvmlDeviceGetUtilizationRates(void *device, void *rates)",
  nvmlDeviceGetMemoryInfo: "int nvmlDeviceGetMemoryInfo(void *device, void *memory)",
  nvmlDeviceGetCurrentClocksEventReasons:
    "int nvmlDeviceGetCurrentClocksEventReasons(void *device, void *reasons)",
  nvmlDeviceGetCurrentClocksThrottleReasons:
    "int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, void *reasons)",
  nvmlDeviceGetTotalEccErrors:
    "int nvmlDeviceGetTotalEccErrors(void *device, int errorType, int counterType, void *count)",
  nvmlDeviceGetRemappedRows:
    "int nvmlDeviceGetRemappedRows(void *device, void *correctable, void *uncorrectable, void *pending, void *failed)",
  nvmlDeviceGetRetiredPages:
    "int nvmlDeviceGetRetiredPages(void *device, int cause, void *count, void *addresses)",
  nvmlDeviceGetPcieReplayCounter: "int nvmlDeviceGetPcieReplayCounter(void *device, void *count)",
  nvmlDeviceGetNvLinkState: "int nvmlDeviceGetNvLinkState(void *device, uint32 link, void *active)",
  nvmlDeviceGetNvLinkErrorCounter:
    "int nvmlDeviceGetNvLinkErrorCounter(void *device, uint32 link, int counter, void *count)",
  nvmlDeviceGetTotalEnergyConsumption:
    "int nvmlDeviceGetTotalEnergyConsumption(void *device, void *millijoules)",
  nvmlDeviceGetComputeRunningProcesses_v3:
    "int nvmlDeviceGetComputeRunningProcesses_v3(void *device, void *count, void *processes)",
};
