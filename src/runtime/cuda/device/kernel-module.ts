import { driverResults } from "./cuda-error.ts";
import type { Kernel, KernelModule, KernelSource } from "./device.ts";
import type { DeviceContext } from "./device-context.ts";
import { readHandle } from "./result-buffers.ts";

// CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
const sharedAttribute = 8;
/** What every kernel may use without asking. */
const sharedBytesFree = 48 * 2 ** 10;

/** A kernel on one GPU. */
export class LoadedKernel implements Kernel {
  readonly name: string;
  readonly handle: bigint;
  readonly #context: DeviceContext;
  #sharedBytesAllowed = sharedBytesFree;

  constructor(context: DeviceContext, name: string, handle: bigint) {
    this.#context = context;
    this.name = name;
    this.handle = handle;
  }

  /** Asks for more dynamic shared memory than a kernel has by itself. */
  allowShared(bytes: number): void {
    if (bytes <= this.#sharedBytesAllowed) return;
    const code = this.#context.enter().cuFuncSetAttribute(this.handle, sharedAttribute, bytes);
    this.#context.check(
      "cuFuncSetAttribute",
      code,
      () => `The kernel ${this.name} asks for ${bytes} bytes of shared memory.`,
    );
    this.#sharedBytesAllowed = bytes;
  }
}

/** A compiled source on one GPU. */
export class LoadedModule implements KernelModule {
  readonly #context: DeviceContext;
  readonly #source: KernelSource;
  readonly #handle: bigint;
  readonly #kernels = new Map<string, LoadedKernel>();

  constructor(context: DeviceContext, source: KernelSource, image: Uint8Array) {
    this.#context = context;
    this.#source = source;
    const result = Buffer.alloc(8);
    const code = context.enter().cuModuleLoadData(result, image);
    context.check("cuModuleLoadData", code, () => `The kernels are those of ${source.name}.`);
    this.#handle = readHandle(result);
  }

  kernel(name: string): Kernel {
    const before = this.#kernels.get(name);
    if (before !== undefined) return before;
    const result = Buffer.alloc(8);
    const code = this.#context.enter().cuModuleGetFunction(result, this.#handle, name);
    this.#context.check("cuModuleGetFunction", code, () =>
      code === driverResults.notFound
        ? `The source ${this.#source.name} has no kernel ${name}; it names ${this.#source.kernels.join(", ")}.`
        : `The kernel is ${name} of ${this.#source.name}.`,
    );
    const kernel = new LoadedKernel(this.#context, name, readHandle(result));
    this.#kernels.set(name, kernel);
    return kernel;
  }

  /** Errors are of no use here: a broken context always reports one. */
  close(): void {
    this.#context.enter().cuModuleUnload(this.#handle);
  }
}
