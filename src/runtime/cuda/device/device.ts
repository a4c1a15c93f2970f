/** A GPU by its number, as everywhere in the library: `cuda:0`. */
export type CudaDeviceId = `cuda:${number}`;

/** What the driver says of a GPU. */
export interface CudaDeviceProperties {
  readonly index: number;
  /** As the driver names it: `NVIDIA H200`. */
  readonly model: string;
  /** `GPU-` and a UUID: stays with the board, whatever its number. */
  readonly uuid: string;
  /** `0000:19:00.0`, as the kernel log and NVML name it. */
  readonly pciBusId: string;
  readonly computeCapability: { readonly major: number; readonly minor: number };
  readonly multiprocessors: number;
  readonly memoryBytes: number;
  readonly l2Bytes: number;
  /** Of the driver's interface: 13.0. */
  readonly driverVersion: string;
}

/**
 * One GPU in this process, with its primary context current on this thread. All calls are
 * synchronous; work on streams is not, and only `synchronize` and `settled` wait for it. Every
 * method throws E_CUDA with CUDA's own name of the error.
 */
export interface CudaDevice extends Disposable {
  readonly id: CudaDeviceId;
  readonly properties: CudaDeviceProperties;
  readonly memory: CudaMemory;
  /** Where work goes that names no other stream. */
  readonly stream: CudaStream;
  createStream(options?: { readonly priority?: "normal" | "high" }): CudaStream;
  createEvent(): CudaEvent;
  /** Compiles CUDA C with NVRTC for this GPU, or takes what was compiled before. */
  module(source: KernelSource): KernelModule;
  /** Waits for everything on the GPU. */
  synchronize(): void;
  /** Frees all that was taken through this device; nothing of it may be used afterwards. */
  close(): void;
}

/** Memory of one GPU: a pool over the driver's allocations, with exact accounts. */
export interface CudaMemory {
  /**
   * Memory on the GPU, its content undefined. Freed buffers are kept for the next of their size
   * and used again in stream order.
   *
   * @throws E_CUDA CUDA_ERROR_OUT_OF_MEMORY, naming what is held and for what.
   */
  allocate(bytes: number, options?: { readonly purpose?: string }): DeviceBuffer;
  /** Host memory that the GPU reads and writes at full speed. */
  allocatePinned(bytes: number): PinnedBuffer;
  /** What the driver has left for anybody, and what the GPU has in all. */
  available(): { readonly freeBytes: number; readonly totalBytes: number };
  accounts(): MemoryAccounts;
  /** Gives what the pool keeps unused back to the driver. */
  trim(): void;
}

export interface MemoryAccounts {
  /** Held by buffers that are not freed. */
  readonly inUseBytes: number;
  /** Kept by the pool for later. */
  readonly pooledBytes: number;
  /** The most that was ever in use at once. */
  readonly peakBytes: number;
  readonly buffers: number;
  readonly pinnedBytes: number;
}

/** A stretch of memory on a GPU. */
export interface DeviceBuffer extends Disposable {
  /** The device address. */
  readonly address: bigint;
  readonly bytes: number;
  readonly freed: boolean;
  /** Gives it back. Twice is once. */
  free(): void;
}

export interface PinnedBuffer extends Disposable {
  readonly address: bigint;
  /** The memory itself, without a copy; detached from it after `free`. */
  readonly bytes: Uint8Array;
  free(): void;
}

/** A place in a buffer. */
export interface DevicePlace {
  readonly buffer: DeviceBuffer;
  /** @default 0 */
  readonly offsetBytes?: number;
}

/** Work in order. */
export interface CudaStream extends Disposable {
  readonly handle: bigint;
  /** Copies bytes to the GPU; ordinary memory is copied before the call returns. */
  upload(target: DevicePlace, bytes: Uint8Array): void;
  /** Copies bytes from the GPU and waits for them. */
  download(source: DevicePlace, into: Uint8Array): void;
  /** Copies between two places on the GPU. */
  copy(target: DevicePlace, source: DevicePlace, bytes: number): void;
  /** Fills with a byte. */
  fill(target: DevicePlace, byte: number, bytes: number): void;
  launch(kernel: Kernel, launch: KernelLaunch): void;
  record(event: CudaEvent): void;
  /** What is put on this stream from now on comes after the event. */
  waitFor(event: CudaEvent): void;
  synchronize(): void;
  /** Resolves when all that is on the stream now is done, without holding this thread. */
  settled(signal?: AbortSignal): Promise<void>;
  close(): void;
}

export interface CudaEvent extends Disposable {
  readonly handle: bigint;
  /** Whether the work before it is done. */
  isDone(): boolean;
  /** Time between two recorded events, after both are done. */
  elapsedMsSince(start: CudaEvent): number;
  close(): void;
}

/** CUDA C, and how it is compiled. It includes nothing: nodes have no headers. */
export interface KernelSource {
  /** Short, for errors and the cache's file names. */
  readonly name: string;
  readonly code: string;
  /** `-D` definitions. */
  readonly defines?: Readonly<Record<string, string | number>>;
  /** Kernels in it, by their `extern "C"` names. */
  readonly kernels: readonly string[];
}

export interface KernelModule {
  /** @throws E_CUDA when the source has no kernel of that name. */
  kernel(name: string): Kernel;
}

export interface Kernel {
  readonly name: string;
  readonly handle: bigint;
}

export type Dim3 = number | readonly [x: number, y?: number, z?: number];

export interface KernelLaunch {
  readonly grid: Dim3;
  readonly block: Dim3;
  /** Dynamic shared memory. @default 0 */
  readonly sharedBytes?: number;
  readonly args: readonly KernelArg[];
}

/** A kernel's argument with its C type. `ptr` is a buffer, a place in one, or an address. */
export type KernelArg =
  | { readonly ptr: DeviceBuffer | DevicePlace | bigint }
  | { readonly i32: number }
  | { readonly u32: number }
  | { readonly i64: number | bigint }
  | { readonly u64: number | bigint }
  | { readonly f32: number }
  | { readonly f64: number };
