import type { CudaDevice, DeviceBuffer, KernelSource } from "../../../../../runtime/cuda/index.ts";
import { CudaTensor } from "../../../../../runtime/cuda/tensor/index.ts";

/** Functions of mathematics that kernels call, a little off. Text before the kernel's own. */
const alteredMath = [
  "sqrt",
  "exp",
  "exp2",
  "expf",
  "exp2f",
  "tanh",
  "erf",
  "erff",
  "rsqrt",
  "rsqrtf",
]
  .map((name) => `#define ${name}(x) (1.0078125f * ${name}(x))\n`)
  .join("");

/** A kernel as a wrong build would have it. */
export function alteredSource(source: KernelSource): KernelSource {
  return { ...source, name: `altered-${source.name}`, code: `${alteredMath}${source.code}` };
}

/** The same GPU, on which kernels are compiled from altered text. */
export function alteredDevice(device: CudaDevice): CudaDevice {
  return {
    id: device.id,
    properties: device.properties,
    libraries: device.libraries,
    memory: device.memory,
    stream: device.stream,
    createStream: (options) => device.createStream(options),
    createEvent: () => device.createEvent(),
    module: (source) => device.module(alteredSource(source)),
    makeCurrent: () => device.makeCurrent(),
    synchronize: () => device.synchronize(),
    onClose: (release) => device.onClose(release),
    close: () => {},
    [Symbol.dispose]: () => {},
  };
}

/** The same memory as a tensor of another device object; whoever had it before frees it. */
export function lentTo(device: CudaDevice, tensor: CudaTensor): CudaTensor {
  const { buffer, dtype, shape } = tensor;
  const lent: DeviceBuffer = {
    address: buffer.address,
    bytes: buffer.bytes,
    freed: false,
    free: () => {},
    [Symbol.dispose]: () => {},
  };
  return CudaTensor.over(device, lent, { dtype, shape });
}

/** What an altered kernel made, as a tensor of the device itself, which now frees it. */
export function takenBack(device: CudaDevice, tensor: CudaTensor): CudaTensor {
  const { buffer, dtype, shape } = tensor;
  return CudaTensor.over(device, buffer, { dtype, shape });
}
