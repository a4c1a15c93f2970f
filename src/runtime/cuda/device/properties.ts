import type { CudaLibraries } from "../libraries/load-cuda.ts";
import { cudaError } from "./cuda-error.ts";
import type { CudaDeviceProperties } from "./device.ts";
import { readSize, readText } from "./result-buffers.ts";

// CUdevice_attribute
const attributes = {
  multiprocessors: 16,
  l2Bytes: 38,
  computeMajor: 75,
  computeMinor: 76,
  pageableMemoryAccess: 88,
} as const;

/** How many GPUs this process sees; CUDA_VISIBLE_DEVICES hides the others. */
export function countDevices(libraries: CudaLibraries): number {
  const count = Buffer.alloc(4);
  check(libraries, "cuDeviceGetCount", libraries.driver.cuDeviceGetCount(count));
  return count.readInt32LE();
}

/** The driver's own number of the GPU at a place in its list. */
export function ordinalOf(libraries: CudaLibraries, index: number): number {
  const device = Buffer.alloc(4);
  check(libraries, "cuDeviceGet", libraries.driver.cuDeviceGet(device, index));
  return device.readInt32LE();
}

/** What the driver says of a GPU. Needs no context, and so takes no memory on it. */
export function readProperties(libraries: CudaLibraries, index: number): CudaDeviceProperties {
  const { driver, driverVersion } = libraries;
  const device = ordinalOf(libraries, index);
  const attribute = (which: keyof typeof attributes) => readAttribute(libraries, which, device);
  const [name, pci, uuid, size] = [256, 64, 16, 8].map((bytes) => Buffer.alloc(bytes)) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ];
  check(libraries, "cuDeviceGetName", driver.cuDeviceGetName(name, name.length, device));
  check(libraries, "cuDeviceGetPCIBusId", driver.cuDeviceGetPCIBusId(pci, pci.length, device));
  check(libraries, "cuDeviceGetUuid", driver.cuDeviceGetUuid_v2(uuid, device));
  check(libraries, "cuDeviceTotalMem", driver.cuDeviceTotalMem_v2(size, device));
  return {
    index,
    model: readText(name),
    uuid: formatUuid(uuid),
    pciBusId: readText(pci).toLowerCase(),
    computeCapability: { major: attribute("computeMajor"), minor: attribute("computeMinor") },
    multiprocessors: attribute("multiprocessors"),
    memoryBytes: readSize(size),
    l2Bytes: attribute("l2Bytes"),
    driverVersion: `${Math.floor(driverVersion / 1000)}.${Math.floor((driverVersion % 1000) / 10)}`,
  };
}

/** Whether the GPU reads ordinary memory by itself, at a time of its own choosing. */
export function readsOrdinaryMemory(libraries: CudaLibraries, ordinal: number): boolean {
  return readAttribute(libraries, "pageableMemoryAccess", ordinal) !== 0;
}

function readAttribute(
  libraries: CudaLibraries,
  which: keyof typeof attributes,
  ordinal: number,
): number {
  const value = Buffer.alloc(4);
  const code = libraries.driver.cuDeviceGetAttribute(value, attributes[which], ordinal);
  check(libraries, "cuDeviceGetAttribute", code);
  return value.readInt32LE();
}

function check(libraries: CudaLibraries, call: string, code: number): void {
  if (code === 0) return;
  const detail = "The driver was asked what this machine has.";
  throw cudaError({ call, name: libraries.errorName(code), code, detail });
}

/** `GPU-` and the UUID, as nvidia-smi and NVML print it. */
function formatUuid(uuid: Buffer): string {
  const hex = uuid.toString("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return `GPU-${[...parts, hex.slice(20)].join("-")}`;
}
