import type { CudaLibraries } from "../libraries/load-cuda.ts";

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
 * One GPU in this process, through its primary context, which cuBLAS and NCCL then share. All calls
 * are synchronous; work on streams is not, and only `synchronize`, `download` and `settled` wait for
 * it. Every method throws E_CUDA with CUDA's own name of the error.
 *
 * Some errors (an illegal address, an uncorrectable ECC error, a failed launch) end the context:
 * every call after them fails too, and says which was the first. Only another process can use the
 * GPU again.
 */
export interface CudaDevice extends Disposable {
  readonly id: CudaDeviceId;
  readonly properties: CudaDeviceProperties;
  /** NVIDIA's libraries in this process: for calls that this interface does not have. */
  readonly libraries: CudaLibraries;
  readonly memory: CudaMemory;
  /** Where work goes that names no other stream. */
  readonly stream: CudaStream;
  /** Of waiting work, what is on a stream of higher priority starts first. `stream` is normal. */
  createStream(options?: { readonly priority?: StreamPriority }): CudaStream;
  createEvent(): CudaEvent;
  /** Compiles CUDA C with NVRTC for this GPU, or takes what was compiled before. */
  module(source: KernelSource): KernelModule;
  /** Makes its context current on this thread: needed before calls of other libraries only. */
  makeCurrent(): void;
  /** Waits for everything on the GPU. */
  synchronize(): void;
  /** Called once before the context goes, the last given first: for handles of other libraries. */
  onClose(release: () => void): void;
  /**
   * Gives this use of the device back. The last one frees all that was taken through it; nothing of
   * it may be used afterwards.
   */
  close(): void;
}

/**
 * Memory of one GPU: a pool over the driver's allocations, with exact accounts. Sizes are rounded up
 * to what the driver gives at least (512 B, above 1 MiB 2 MiB), and so are the accounts.
 */
export interface CudaMemory {
  /**
   * Memory on the GPU, its content undefined. Freed buffers are kept for the next of their size
   * and used again in stream order: work put on any stream for the new buffer comes after the work
   * that was put there for the old one.
   *
   * @param options.purpose what it is for, in a word or two; named when memory runs out
   * @throws E_CUDA CUDA_ERROR_OUT_OF_MEMORY, naming what is held and for what.
   */
  allocate(bytes: number, options?: { readonly purpose?: string }): DeviceBuffer;
  /** Host memory that the GPU reads and writes at full speed, without a copy on the way. */
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
  /**
   * The device address, for calls of other libraries: on `device.stream`, or on a stream that was
   * told by `uses`. Reading it after `free` throws.
   */
  readonly address: bigint;
  /** As asked for. */
  readonly bytes: number;
  readonly freed: boolean;
  /** Gives it back; work on it that is under way goes on. Twice is once. */
  free(): void;
}

export interface PinnedBuffer extends Disposable {
  readonly address: bigint;
  /**
   * The memory itself, without a copy. Reading this property after `free` throws; an array taken
   * before must not be touched after it.
   */
  readonly bytes: Uint8Array;
  /** Waits for all work on the GPU, then gives it back. Twice is once. */
  free(): void;
}

/** A place in a buffer. */
export interface DevicePlace {
  readonly buffer: DeviceBuffer;
  /** @default 0 */
  readonly offsetBytes?: number;
}

export type StreamPriority = "low" | "normal" | "high";

/** Work in order. */
export interface CudaStream extends Disposable {
  readonly device: CudaDevice;
  readonly handle: bigint;
  /**
   * Says that another library's work on this stream will use these buffers: to be called before that
   * work is put there. Calls of this interface say it themselves, and `device.stream` need not be
   * told: whoever reads a buffer's address is taken to work there.
   */
  uses(...buffers: readonly DeviceBuffer[]): void;
  /**
   * Copies bytes to the GPU. Ordinary memory is read before the call returns; a `PinnedBuffer` is
   * read when the stream gets there.
   */
  upload(target: DevicePlace, bytes: Uint8Array): void;
  /** Copies bytes from the GPU and waits for them. */
  download(source: DevicePlace, into: Uint8Array): void;
  /** Copies between two places on the GPU. */
  copy(target: DevicePlace, source: DevicePlace, bytes: number): void;
  /** Fills with a byte. */
  fill(target: DevicePlace, byte: number, bytes: number): void;
  launch(kernel: Kernel, launch: KernelLaunch): void;
  record(event: CudaEvent): void;
  /** What is put on this stream from now on comes after the event, as it was recorded last. */
  waitFor(event: CudaEvent): void;
  synchronize(): void;
  /**
   * Resolves when all that is on the stream now is done, without holding this thread. There is no
   * limit to the wait but the signal.
   */
  settled(signal?: AbortSignal): Promise<void>;
  /** Waits for its work. Twice is once; the device's own stream closes with the device. */
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
  /** Macros, as `-D` defines them. */
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
  /** Dynamic shared memory; above 48 KiB it is asked for by itself. @default 0 */
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
