import { type CudaDevice, type CudaDeviceId, openCudaDevice } from "../device/index.ts";

/** A GPU by its name, or one that is open already. */
export type DeviceChoice = CudaDeviceId | CudaDevice;

// Tensors have no owner that could close the device: it stays open until the process ends.
const opened = new Map<CudaDeviceId, CudaDevice>();

/**
 * The device that a tensor goes to. One given by name is opened at its first use.
 *
 * @throws E_CUDA_UNAVAILABLE, E_CUDA
 */
export function deviceOf(choice: DeviceChoice): CudaDevice {
  if (typeof choice !== "string") return choice;
  const device = opened.get(choice) ?? openCudaDevice(choice);
  opened.set(choice, device);
  return device;
}
