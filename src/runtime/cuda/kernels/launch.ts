import type {
  CudaDevice,
  CudaStream,
  Dim3,
  Kernel,
  KernelArg,
  KernelSource,
} from "../device/device.ts";

export interface KernelCall {
  readonly source: KernelSource;
  /** One of the source's kernels. */
  readonly kernel: string;
  readonly grid: Dim3;
  readonly block: Dim3;
  /** @default 0 */
  readonly sharedBytes?: number;
  readonly args: readonly KernelArg[];
  /** @default the device's own */
  readonly stream?: CudaStream | undefined;
}

// Looking a kernel up by the hash of its text would cost more than a launch does.
const known = new WeakMap<CudaDevice, Map<KernelSource, Map<string, Kernel>>>();

/**
 * Puts a kernel on a stream, compiled where it is not yet.
 *
 * @throws E_CUDA
 */
export function launchKernel(device: CudaDevice, call: KernelCall): void {
  const { source, kernel, grid, block, sharedBytes = 0, args, stream = device.stream } = call;
  stream.launch(kernelOf(device, source, kernel), { grid, block, sharedBytes, args });
}

function kernelOf(device: CudaDevice, source: KernelSource, name: string): Kernel {
  const ofDevice = known.get(device) ?? new Map<KernelSource, Map<string, Kernel>>();
  known.set(device, ofDevice);
  const ofSource = ofDevice.get(source) ?? new Map<string, Kernel>();
  ofDevice.set(source, ofSource);
  const kernel = ofSource.get(name) ?? device.module(source).kernel(name);
  ofSource.set(name, kernel);
  return kernel;
}

/** Threads of a block where a kernel does not ask for another number. */
export const blockThreads = 256;

// So many that the last ones, which do not fill the GPU, are few among all.
const blocksPerMultiprocessor = 512;

export interface GridSize {
  /** What the threads share among them. */
  readonly items: number;
  /** Items that a thread takes at a time. @default 1 */
  readonly perThread?: number;
  /** Blocks at most; where each ends with work of its own, those that run at once. @default 512 */
  readonly perMultiprocessor?: number;
}

/** Blocks of 256 threads for a loop over items with the grid as stride. */
export function gridFor(device: CudaDevice, size: GridSize): number {
  const { items, perThread = 1, perMultiprocessor = blocksPerMultiprocessor } = size;
  const wanted = Math.ceil(items / (perThread * blockThreads));
  const most = device.properties.multiprocessors * perMultiprocessor;
  return Math.max(1, Math.min(wanted, most));
}
