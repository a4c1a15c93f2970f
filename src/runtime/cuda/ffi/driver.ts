import type { Prototypes } from "./bind.ts";

/**
 * Functions of the CUDA driver (libcuda.so.1) as CUDA 12 and 13 both have them. Each answers a
 * CUresult. Handles (context, stream, event, module, function) and device addresses are bigints;
 * results arrive in the little-endian buffers given for them.
 */
export interface DriverFunctions {
  cuInit(flags: number): number;
  cuDriverGetVersion(version: Uint8Array): number;
  cuGetErrorName(error: number, text: Uint8Array): number;
  cuGetErrorString(error: number, text: Uint8Array): number;
  cuDeviceGetCount(count: Uint8Array): number;
  cuDeviceGet(device: Uint8Array, ordinal: number): number;
  cuDeviceGetName(name: Uint8Array, length: number, device: number): number;
  cuDeviceGetUuid_v2(uuid: Uint8Array, device: number): number;
  cuDeviceTotalMem_v2(bytes: Uint8Array, device: number): number;
  cuDeviceGetAttribute(value: Uint8Array, attribute: number, device: number): number;
  cuDeviceGetPCIBusId(id: Uint8Array, length: number, device: number): number;
  cuDevicePrimaryCtxRetain(context: Uint8Array, device: number): number;
  cuDevicePrimaryCtxRelease_v2(device: number): number;
  cuCtxSetCurrent(context: bigint): number;
  cuCtxSynchronize(): number;
  cuCtxGetStreamPriorityRange(least: Uint8Array, greatest: Uint8Array): number;
  cuMemAlloc_v2(address: Uint8Array, bytes: number): number;
  cuMemFree_v2(address: bigint): number;
  cuMemHostAlloc(address: Uint8Array, bytes: number, flags: number): number;
  cuMemFreeHost(address: bigint): number;
  cuMemGetInfo_v2(free: Uint8Array, total: Uint8Array): number;
  cuMemcpyHtoDAsync_v2(target: bigint, source: Uint8Array, bytes: number, stream: bigint): number;
  cuMemcpyDtoHAsync_v2(target: Uint8Array, source: bigint, bytes: number, stream: bigint): number;
  cuMemcpyDtoDAsync_v2(target: bigint, source: bigint, bytes: number, stream: bigint): number;
  cuMemsetD8Async(target: bigint, byte: number, bytes: number, stream: bigint): number;
  cuStreamCreateWithPriority(stream: Uint8Array, flags: number, priority: number): number;
  cuStreamDestroy_v2(stream: bigint): number;
  cuStreamSynchronize(stream: bigint): number;
  cuStreamWaitEvent(stream: bigint, event: bigint, flags: number): number;
  cuEventCreate(event: Uint8Array, flags: number): number;
  cuEventDestroy_v2(event: bigint): number;
  cuEventRecord(event: bigint, stream: bigint): number;
  cuEventQuery(event: bigint): number;
  cuEventElapsedTime(milliseconds: Uint8Array, start: bigint, end: bigint): number;
  cuModuleLoadData(module: Uint8Array, image: Uint8Array): number;
  cuModuleUnload(module: bigint): number;
  cuModuleGetFunction(kernel: Uint8Array, module: bigint, name: string): number;
  cuFuncSetAttribute(kernel: bigint, attribute: number, value: number): number;
  cuLaunchKernel(
    kernel: bigint,
    gridX: number,
    gridY: number,
    gridZ: number,
    blockX: number,
    blockY: number,
    blockZ: number,
    sharedBytes: number,
    stream: bigint,
    parameters: bigint,
    extra: null,
  ): number;
}

// The FFI takes a bigint for `void *` faster than for `uint64`, so handles are pointers here.
export const driverPrototypes: Prototypes<DriverFunctions> = {
  cuInit: "int cuInit(uint32 flags)",
  cuDriverGetVersion: "int cuDriverGetVersion(void *version)",
  cuGetErrorName: "int cuGetErrorName(int error, void *text)",
  cuGetErrorString: "int cuGetErrorString(int error, void *text)",
  cuDeviceGetCount: "int cuDeviceGetCount(void *count)",
  cuDeviceGet: "int cuDeviceGet(void *device, int ordinal)",
  cuDeviceGetName: "int cuDeviceGetName(void *name, int length, int device)",
  cuDeviceGetUuid_v2: "int cuDeviceGetUuid_v2(void *uuid, int device)",
  cuDeviceTotalMem_v2: "int cuDeviceTotalMem_v2(void *bytes, int device)",
  cuDeviceGetAttribute: "int cuDeviceGetAttribute(void *value, int attribute, int device)",
  cuDeviceGetPCIBusId: "int cuDeviceGetPCIBusId(void *id, int length, int device)",
  cuDevicePrimaryCtxRetain: "int cuDevicePrimaryCtxRetain(void *context, int device)",
  cuDevicePrimaryCtxRelease_v2: "int cuDevicePrimaryCtxRelease_v2(int device)",
  cuCtxSetCurrent: "int cuCtxSetCurrent(void *context)",
  cuCtxSynchronize: "int cuCtxSynchronize()",
  cuCtxGetStreamPriorityRange: "int cuCtxGetStreamPriorityRange(void *least, void *greatest)",
  cuMemAlloc_v2: "int cuMemAlloc_v2(void *address, size_t bytes)",
  cuMemFree_v2: "int cuMemFree_v2(uint64 address)",
  cuMemHostAlloc: "int cuMemHostAlloc(void *address, size_t bytes, uint32 flags)",
  cuMemFreeHost: "int cuMemFreeHost(void *address)",
  cuMemGetInfo_v2: "int cuMemGetInfo_v2(void *free, void *total)",
  cuMemcpyHtoDAsync_v2:
    "int cuMemcpyHtoDAsync_v2(uint64 target, void *source, size_t bytes, void *stream)",
  cuMemcpyDtoHAsync_v2:
    "int cuMemcpyDtoHAsync_v2(void *target, uint64 source, size_t bytes, void *stream)",
  cuMemcpyDtoDAsync_v2:
    "int cuMemcpyDtoDAsync_v2(uint64 target, uint64 source, size_t bytes, void *stream)",
  cuMemsetD8Async: "int cuMemsetD8Async(uint64 target, uint8 byte, size_t bytes, void *stream)",
  cuStreamCreateWithPriority:
    "int cuStreamCreateWithPriority(void *stream, uint32 flags, int priority)",
  cuStreamDestroy_v2: "int cuStreamDestroy_v2(void *stream)",
  cuStreamSynchronize: "int cuStreamSynchronize(void *stream)",
  cuStreamWaitEvent: "int cuStreamWaitEvent(void *stream, void *event, uint32 flags)",
  cuEventCreate: "int cuEventCreate(void *event, uint32 flags)",
  cuEventDestroy_v2: "int cuEventDestroy_v2(void *event)",
  cuEventRecord: "int cuEventRecord(void *event, void *stream)",
  cuEventQuery: "int cuEventQuery(void *event)",
  cuEventElapsedTime: "int cuEventElapsedTime(void *milliseconds, void *start, void *end)",
  cuModuleLoadData: "int cuModuleLoadData(void *module, void *image)",
  cuModuleUnload: "int cuModuleUnload(void *module)",
  cuModuleGetFunction: "int cuModuleGetFunction(void *kernel, void *module, const char *name)",
  cuFuncSetAttribute: "int cuFuncSetAttribute(void *kernel, int attribute, int value)",
  cuLaunchKernel:
    "int cuLaunchKernel(void *kernel, uint32 gridX, uint32 gridY, uint32 gridZ, uint32 blockX, uint32 blockY, uint32 blockZ, uint32 sharedBytes, void *stream, void *parameters, void *extra)",
};
