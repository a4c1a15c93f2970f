import assert from "node:assert/strict";
import type { DriverFunctions } from "../ffi/driver.ts";
import type { CudaLibraries } from "../libraries/load-cuda.ts";
import { cudaError, driverResults, endsItsContext } from "./cuda-error.ts";
import { readHandle } from "./result-buffers.ts";

const shortOfMemory =
  "Use smaller sizes or free buffers first; `nvidia-smi` shows what other processes hold.";

/** Which context this thread works in: the driver keeps it by thread, and so does this module. */
interface Current {
  context: DeviceContext | undefined;
}

/** By the driver's file: one driver has one current context, whoever loaded it. */
const currents = new Map<string, Current>();

/** The primary context of one GPU: made current before calls, and its errors told by name. */
export class DeviceContext {
  readonly libraries: CudaLibraries;
  readonly ordinal: number;
  /** For errors that arrive with a later call. */
  lastKernel: string | undefined;
  readonly #driver: DriverFunctions;
  readonly #handle: bigint;
  readonly #current: Current;
  #fault: string | undefined;
  #released = false;

  /** @param ordinal the driver's number of the GPU */
  constructor(libraries: CudaLibraries, ordinal: number) {
    this.libraries = libraries;
    this.#driver = libraries.driver;
    this.ordinal = ordinal;
    this.#current = currentOf(libraries);
    const handle = Buffer.alloc(8);
    this.check("cuDevicePrimaryCtxRetain", this.#driver.cuDevicePrimaryCtxRetain(handle, ordinal));
    this.#handle = readHandle(handle);
  }

  /** The driver, with this context current. */
  enter(): DriverFunctions {
    if (this.#current.context !== this) this.makeCurrent();
    return this.#driver;
  }

  makeCurrent(): void {
    assert(!this.#released, `the GPU cuda:${this.ordinal} was closed in this process`);
    this.check("cuCtxSetCurrent", this.#driver.cuCtxSetCurrent(this.#handle));
    this.#current.context = this;
  }

  /**
   * Lets a successful call pass.
   *
   * @param detail what to say of a failure that ends nothing but the call, as whole sentences
   * @throws E_CUDA otherwise.
   */
  check(call: string, code: number, detail?: () => string): void {
    if (code === 0) return;
    const name = this.libraries.errorName(code);
    const failed = { call, name, code, detail: this.#explain({ call, name, code }, detail) };
    throw cudaError(
      code === driverResults.outOfMemory ? { ...failed, hint: shortOfMemory } : failed,
    );
  }

  #explain(
    { call, name, code }: { readonly call: string; readonly name: string; readonly code: number },
    detail: (() => string) | undefined,
  ): string {
    const gpu = `cuda:${this.ordinal}`;
    if (this.#fault !== undefined) return this.#fault;
    if (!endsItsContext(code)) return detail?.() ?? `The GPU is ${gpu}.`;
    this.#fault = `${gpu} cannot be used by this process any more since ${call} reported ${name}.`;
    const kernel = this.lastKernel === undefined ? "" : `, last the kernel ${this.lastKernel}`;
    return `Work put on ${gpu} before it is the likely cause${kernel}. This process cannot use the GPU any more.`;
  }

  /** Gives the context back. The driver keeps it while others of this process hold it. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    if (this.#current.context === this) {
      this.#current.context = undefined;
      this.#driver.cuCtxSetCurrent(0n);
    }
    // Nothing can be done about an error here, and a broken context always reports one.
    this.#driver.cuDevicePrimaryCtxRelease_v2(this.ordinal);
  }
}

function currentOf(libraries: CudaLibraries): Current {
  const before = currents.get(libraries.driverPath);
  if (before !== undefined) return before;
  const current: Current = { context: undefined };
  currents.set(libraries.driverPath, current);
  return current;
}
