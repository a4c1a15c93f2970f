import assert from "node:assert/strict";
import type { Accounts } from "./accounts.ts";
import type { PinnedBuffer } from "./device.ts";
import type { DeviceContext } from "./device-context.ts";
import { readHandle } from "./result-buffers.ts";

// CU_MEMHOSTALLOC_PORTABLE: pinned for every GPU of the process.
const portable = 1;

/** Host memory that stays where it is, so that a GPU can read and write it by itself. */
export class PinnedMemory {
  readonly #context: DeviceContext;
  readonly #accounts: Accounts;
  readonly #arrays = new Map<ArrayBufferLike, PinnedStretch>();

  constructor(context: DeviceContext, accounts: Accounts) {
    this.#context = context;
    this.#accounts = accounts;
  }

  allocate(bytes: number): PinnedBuffer {
    assert(Number.isSafeInteger(bytes) && bytes > 0, `${bytes} bytes cannot be pinned`);
    const result = Buffer.alloc(8);
    const driver = this.#context.enter();
    this.#context.check("cuMemHostAlloc", driver.cuMemHostAlloc(result, bytes, portable));
    const address = readHandle(result);
    const array = this.#context.libraries.ffi.view(address, bytes);
    const stretch = new PinnedStretch(address, array, (given) => this.#release(given));
    this.#arrays.set(array, stretch);
    this.#accounts.pinnedBytes += bytes;
    return stretch;
  }

  holds(bytes: Uint8Array): boolean {
    return this.#arrays.has(bytes.buffer);
  }

  close(): void {
    for (const stretch of this.#arrays.values()) stretch.free();
  }

  #release({ address, array }: { readonly address: bigint; readonly array: ArrayBuffer }) {
    this.#arrays.delete(array);
    this.#accounts.pinnedBytes -= array.byteLength;
    const driver = this.#context.enter();
    // Work that reads or writes it may be under way, and must not outlive it. Where the context is
    // broken there is none, and both calls only say so.
    driver.cuCtxSynchronize();
    driver.cuMemFreeHost(address);
  }
}

class PinnedStretch implements PinnedBuffer {
  readonly address: bigint;
  #array: ArrayBuffer | undefined;
  readonly #release: (given: { address: bigint; array: ArrayBuffer }) => void;

  constructor(
    address: bigint,
    array: ArrayBuffer,
    release: (given: { address: bigint; array: ArrayBuffer }) => void,
  ) {
    this.address = address;
    this.#array = array;
    this.#release = release;
  }

  get bytes(): Uint8Array {
    assert(this.#array !== undefined, "this pinned buffer was freed");
    return new Uint8Array(this.#array);
  }

  free(): void {
    const array = this.#array;
    if (array === undefined) return;
    this.#array = undefined;
    this.#release({ address: this.address, array });
  }

  [Symbol.dispose](): void {
    this.free();
  }
}
