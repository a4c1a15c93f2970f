import assert from "node:assert/strict";
import type { DeviceBuffer } from "./device.ts";
import type { DeviceStream } from "./device-stream.ts";
import type { MemoryBlock } from "./memory-block.ts";

/** The pool that a buffer comes from. */
export interface BufferHome {
  /** Where work is that does not say on which stream it is. */
  readonly stream: DeviceStream;
  release(block: MemoryBlock, buffer: PooledBuffer): void;
}

/** A buffer out of the pool of one GPU. */
export class PooledBuffer implements DeviceBuffer {
  readonly bytes: number;
  readonly #home: BufferHome;
  #block: MemoryBlock | undefined;

  constructor(home: BufferHome, block: MemoryBlock, bytes: number) {
    this.#home = home;
    this.#block = block;
    this.bytes = bytes;
  }

  get address(): bigint {
    return this.addressOn(this.#home.stream);
  }

  get freed(): boolean {
    return this.#block === undefined;
  }

  /** The address, for work on this stream. */
  addressOn(stream: DeviceStream): bigint {
    const block = this.#block ?? assert.fail("this GPU buffer was freed");
    block.touch(stream);
    return block.address;
  }

  free(): void {
    const block = this.#block;
    if (block === undefined) return;
    this.#block = undefined;
    this.#home.release(block, this);
  }

  [Symbol.dispose](): void {
    this.free();
  }
}
