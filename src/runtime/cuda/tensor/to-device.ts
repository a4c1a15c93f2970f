import { bytesOf } from "../../tensor/dtype/index.ts";
import { shapeError, sizeOf } from "../../tensor/shape.ts";
import type { Tensor } from "../../tensor/tensor.ts";
import type { OnStream } from "./cuda-array.ts";
import { type CudaDType, cudaDtypeBytes } from "./cuda-dtype.ts";
import { CudaTensor } from "./cuda-tensor.ts";
import { type DeviceChoice, deviceOf } from "./device-of.ts";

/**
 * A host tensor's bits on a GPU.
 *
 * @throws E_CUDA, E_CUDA_UNAVAILABLE
 */
export function toDevice(tensor: Tensor, choice: DeviceChoice, on: OnStream = {}): CudaTensor {
  const { dtype, shape } = tensor;
  return fromBytes(bytesOf(tensor.toRaw()), { dtype, shape, device: choice, ...on });
}

export interface FromBytesOptions extends OnStream {
  readonly dtype: CudaDType;
  readonly shape: readonly number[];
  readonly device: DeviceChoice;
}

/**
 * Stored bytes as a tensor on a GPU: elements in row-major order, little-endian. The way to make an
 * i8 tensor: `fromBytes(new Uint8Array(int8.buffer), …)`.
 *
 * @throws E_SHAPE when they are not exactly as many as the shape needs; E_CUDA, E_CUDA_UNAVAILABLE
 */
export function fromBytes(bytes: Uint8Array, options: FromBytesOptions): CudaTensor {
  const { dtype, shape } = options;
  if (bytes.length !== sizeOf(shape, "fromBytes") * cudaDtypeBytes(dtype)) {
    throw shapeError("fromBytes", `${bytes.length} bytes are not a tensor ${dtype} of that shape`);
  }
  const device = deviceOf(options.device);
  const out = CudaTensor.allocate(device, { dtype, shape });
  const { stream = device.stream } = options;
  if (bytes.length > 0) stream.upload({ buffer: out.buffer }, bytes);
  return out;
}
