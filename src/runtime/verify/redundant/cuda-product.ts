import { dirname, isAbsolute } from "node:path";
import { type CudaDevice, type CudaDeviceId, openCudaDevice } from "../../cuda/device/index.ts";
import { countDevices, readProperties } from "../../cuda/device/properties.ts";
import { givenFolders } from "../../cuda/libraries/library-folders.ts";
import { type CudaMatmulOptions, matmul } from "../../cuda/ops/index.ts";
import { CudaTensor } from "../../cuda/tensor/index.ts";

/** Other GPUs of the same model, the next number first: only these give the same bits. */
export function likeGpus(device: CudaDevice): readonly CudaDeviceId[] {
  const { libraries, properties } = device;
  const count = countDevices(libraries);
  const others = Array.from({ length: count - 1 }, (_, at) => (properties.index + 1 + at) % count);
  return others
    .filter((index) => readProperties(libraries, index).model === properties.model)
    .map((index): CudaDeviceId => `cuda:${index}`);
}

/**
 * The product on another GPU, its result brought back to where the factors are. The other GPU is opened
 * for this call; one that is open already costs nothing. Copies go over the host.
 */
export function productOnGpu(
  id: CudaDeviceId,
  [a, b]: readonly [CudaTensor, CudaTensor],
  options: CudaMatmulOptions,
): CudaTensor {
  const { device } = a;
  const { stream = device.stream, out, ...rest } = options;
  using other = openCudaDevice(id, placesOf(device));
  using left = copyTo(other, a, stream);
  using right = copyTo(other, b, stream);
  using start = options.accumulate === true && out ? copyTo(other, out, stream) : undefined;
  const made = matmul(left, right, { ...rest, ...(start === undefined ? {} : { out: start }) });
  try {
    other.synchronize();
    const bytes = downloaded(made, other.stream);
    const result = out ?? CudaTensor.allocate(device, { dtype: made.dtype, shape: made.shape });
    if (bytes.length > 0) stream.upload({ buffer: result.buffer }, bytes);
    return result;
  } finally {
    if (made !== start) made.free();
  }
}

/** Where the driver of this device was found, so that the other GPU comes from the same one. */
function placesOf({ libraries }: CudaDevice) {
  const { driverPath, env } = libraries;
  if (!isAbsolute(driverPath)) return { env };
  return { env, folders: [dirname(driverPath), ...givenFolders(env)] };
}

function copyTo(other: CudaDevice, x: CudaTensor, stream: CudaDevice["stream"]): CudaTensor {
  const { dtype, shape } = x;
  const copy = CudaTensor.allocate(other, { dtype, shape, purpose: "a redundant product" });
  const bytes = downloaded(x, stream);
  if (bytes.length > 0) other.stream.upload({ buffer: copy.buffer }, bytes);
  return copy;
}

function downloaded(x: CudaTensor, stream: CudaDevice["stream"]): Uint8Array {
  const bytes = new Uint8Array(x.bytes);
  if (bytes.length > 0) stream.download({ buffer: x.buffer }, bytes);
  return bytes;
}
