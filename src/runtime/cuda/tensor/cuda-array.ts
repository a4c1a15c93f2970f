import type { CudaDevice, CudaStream, DeviceBuffer, DevicePlace } from "../device/device.ts";
import type { CudaDType } from "./cuda-dtype.ts";

/** Elements in row-major order without gaps on a GPU: what kernels read and write. */
export interface CudaArray {
  readonly device: CudaDevice;
  readonly dtype: CudaDType;
  readonly shape: readonly number[];
  /** How many elements there are. */
  readonly size: number;
  /** They lie at its start. Asserts that they were not freed. */
  readonly buffer: DeviceBuffer;
}

/** Fills bytes with zeros. */
export function clear(place: DevicePlace, bytes: number, stream: CudaStream): void {
  stream.fill(place, 0, bytes);
}

/** Where work is put. */
export interface OnStream {
  /** @default the device's own */
  readonly stream?: CudaStream | undefined;
}

/** Where work is put, and its result. */
export interface IntoTensor<T extends CudaArray = CudaArray> extends OnStream {
  /** Written instead of a new tensor; of the result's dtype and shape, not one of the inputs. */
  readonly out?: T | undefined;
}
