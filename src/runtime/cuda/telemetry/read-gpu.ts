import { isTold, type NvmlGpu, readU32 } from "./nvml-call.ts";
import type { GpuReading, ThrottleReason } from "./telemetry.ts";
import { throttleReasons } from "./throttle-reasons.ts";

const clocks = { sm: 1, memory: 2 } as const;
const gpuSensor = 0;
/** NVML_FI_DEV_MEMORY_TEMP, and the layout of an nvmlFieldValue_t. */
const memoryTemperatureField = 82;
const fieldValue = { bytes: 40, resultAt: 28, valueAt: 32 } as const;

/** One look at a GPU. @throws E_CUDA when NVML answers with an error. */
export function readGpu(gpu: NvmlGpu, atMs: number): GpuReading {
  const powerMw = readU32(gpu, "nvmlDeviceGetPowerUsage", (nvml, device, into) =>
    nvml.nvmlDeviceGetPowerUsage(device, into),
  );
  return {
    atMs,
    smClockMhz: readClock(gpu, clocks.sm),
    memoryClockMhz: readClock(gpu, clocks.memory),
    powerW: powerMw === null ? null : powerMw / 1000,
    temperatureC: readU32(gpu, "nvmlDeviceGetTemperature", (nvml, device, into) =>
      nvml.nvmlDeviceGetTemperature(device, gpuSensor, into),
    ),
    memoryTemperatureC: readMemoryTemperature(gpu),
    utilizationPercent: readUtilization(gpu),
    memoryUsedBytes: readMemoryUsed(gpu),
    throttle: readThrottle(gpu),
  };
}

function readClock(gpu: NvmlGpu, clock: number): number | null {
  return readU32(gpu, "nvmlDeviceGetClockInfo", (nvml, device, into) =>
    nvml.nvmlDeviceGetClockInfo(device, clock, into),
  );
}

function readMemoryTemperature(gpu: NvmlGpu): number | null {
  const value = Buffer.alloc(fieldValue.bytes);
  value.writeUInt32LE(memoryTemperatureField, 0);
  const told = isTold(gpu, "nvmlDeviceGetFieldValues", (nvml, device) =>
    nvml.nvmlDeviceGetFieldValues(device, 1, value),
  );
  if (!told || value.readInt32LE(fieldValue.resultAt) !== 0) return null;
  return value.readUInt32LE(fieldValue.valueAt);
}

function readUtilization(gpu: NvmlGpu): number | null {
  const rates = Buffer.alloc(8);
  const told = isTold(gpu, "nvmlDeviceGetUtilizationRates", (nvml, device) =>
    nvml.nvmlDeviceGetUtilizationRates(device, rates),
  );
  return told ? rates.readUInt32LE(0) : null;
}

function readMemoryUsed(gpu: NvmlGpu): number | null {
  const usedAt = 16;
  const memory = Buffer.alloc(24);
  const told = isTold(gpu, "nvmlDeviceGetMemoryInfo", (nvml, device) =>
    nvml.nvmlDeviceGetMemoryInfo(device, memory),
  );
  return told ? Number(memory.readBigUInt64LE(usedAt)) : null;
}

function readThrottle(gpu: NvmlGpu): readonly ThrottleReason[] {
  const bits = Buffer.alloc(8);
  const calls = [
    "nvmlDeviceGetCurrentClocksEventReasons",
    "nvmlDeviceGetCurrentClocksThrottleReasons",
  ] as const;
  const told = calls.some((call) => isTold(gpu, call, (nvml, device) => nvml[call](device, bits)));
  return told ? throttleReasons(bits.readBigUInt64LE()) : [];
}
