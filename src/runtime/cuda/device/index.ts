export { cudaError, type FailedCall } from "./cuda-error.ts";
export type {
  CudaDevice,
  CudaDeviceId,
  CudaDeviceProperties,
  CudaEvent,
  CudaMemory,
  CudaStream,
  DeviceBuffer,
  DevicePlace,
  Dim3,
  Kernel,
  KernelArg,
  KernelLaunch,
  KernelModule,
  KernelSource,
  MemoryAccounts,
  PinnedBuffer,
  StreamPriority,
} from "./device.ts";
export {
  cudaAvailable,
  listCudaDevices,
  type OpenCudaDeviceOptions,
  openCudaDevice,
} from "./open-device.ts";
