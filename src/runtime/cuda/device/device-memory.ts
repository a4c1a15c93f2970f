import assert from "node:assert/strict";
import { formatBytes } from "../../../platform/units/bytes.ts";
import { Accounts } from "./accounts.ts";
import { driverResults } from "./cuda-error.ts";
import type { CudaMemory, DeviceBuffer, MemoryAccounts, PinnedBuffer } from "./device.ts";
import type { DeviceContext } from "./device-context.ts";
import type { DeviceStream } from "./device-stream.ts";
import { MemoryBlock } from "./memory-block.ts";
import { PinnedMemory } from "./pinned-memory.ts";
import { type BufferHome, PooledBuffer } from "./pooled-buffer.ts";
import { readHandle, readSize } from "./result-buffers.ts";

// The driver hands out pages of 2 MiB; small sizes share one.
const smallBytesMax = 2 ** 20;
const smallStepBytes = 512;
const pageBytes = 2 * 2 ** 20;
const poolShareMax = 0.25;

/** The pool over one GPU's memory. */
export class DeviceMemory implements CudaMemory {
  readonly #context: DeviceContext;
  readonly #home: BufferHome;
  readonly #accountsOfAll = new Accounts();
  readonly #inUse = new Set<MemoryBlock>();
  readonly #kept = new Map<number, MemoryBlock[]>();
  readonly #pinned: PinnedMemory;
  readonly #pooledBytesMax: number;
  /** Buffers that were dropped without `free` come back when they are collected. */
  readonly #dropped = new FinalizationRegistry<MemoryBlock>((block) => this.#keep(block));

  constructor(context: DeviceContext, stream: DeviceStream) {
    this.#context = context;
    this.#home = {
      stream,
      release: (block, buffer) => {
        this.#dropped.unregister(buffer);
        this.#keep(block);
      },
    };
    this.#pinned = new PinnedMemory(context, this.#accountsOfAll);
    this.#pooledBytesMax = this.available().totalBytes * poolShareMax;
  }

  allocate(bytes: number, options: { readonly purpose?: string } = {}): DeviceBuffer {
    assert(Number.isSafeInteger(bytes) && bytes >= 0, `a buffer cannot have ${bytes} bytes`);
    const { purpose = "unnamed" } = options;
    const block = this.#takeBlock(roundUp(bytes), purpose);
    block.purpose = purpose;
    this.#inUse.add(block);
    this.#accountsOfAll.take(block.bytes, purpose);
    const buffer = new PooledBuffer(this.#home, block, bytes);
    this.#dropped.register(buffer, block, buffer);
    return buffer;
  }

  allocatePinned(bytes: number): PinnedBuffer {
    return this.#pinned.allocate(bytes);
  }

  available(): { readonly freeBytes: number; readonly totalBytes: number } {
    const [free, total] = [Buffer.alloc(8), Buffer.alloc(8)];
    this.#context.check("cuMemGetInfo", this.#context.enter().cuMemGetInfo_v2(free, total));
    return { freeBytes: readSize(free), totalBytes: readSize(total) };
  }

  accounts(): MemoryAccounts {
    return this.#accountsOfAll.read();
  }

  trim(): void {
    if (this.#kept.size === 0) return;
    this.#freeAll([...this.#kept.values()].flat());
    this.#kept.clear();
    this.#accountsOfAll.pooledBytes = 0;
  }

  /** Whether bytes lie in host memory that the GPU reads by itself when it gets there. */
  isPinned(bytes: Uint8Array): boolean {
    return this.#pinned.holds(bytes);
  }

  /** Frees all, whoever holds it. */
  close(): void {
    this.#freeAll([...this.#inUse, ...[...this.#kept.values()].flat()]);
    this.#inUse.clear();
    this.#kept.clear();
    this.#pinned.close();
  }

  #takeBlock(bytes: number, purpose: string): MemoryBlock {
    const alike = this.#kept.get(bytes);
    const block = alike?.pop();
    if (alike?.length === 0) this.#kept.delete(bytes);
    if (block !== undefined) {
      this.#accountsOfAll.pooledBytes -= bytes;
      return block;
    }
    const address = Buffer.alloc(8);
    const driver = this.#context.enter();
    let code = driver.cuMemAlloc_v2(address, bytes);
    if (code === driverResults.outOfMemory && this.#accountsOfAll.pooledBytes > 0) {
      this.trim();
      code = driver.cuMemAlloc_v2(address, bytes);
    }
    this.#context.check("cuMemAlloc", code, () => this.#shortage(bytes, purpose));
    return new MemoryBlock(readHandle(address), bytes);
  }

  #keep(block: MemoryBlock): void {
    // After `close` all is freed.
    if (!this.#inUse.delete(block)) return;
    this.#accountsOfAll.giveBack(block.bytes, block.purpose);
    if (this.#accountsOfAll.pooledBytes + block.bytes > this.#pooledBytesMax) {
      this.#freeAll([block]);
      return;
    }
    block.retire();
    const alike = this.#kept.get(block.bytes);
    if (alike === undefined) this.#kept.set(block.bytes, [block]);
    else alike.push(block);
    this.#accountsOfAll.pooledBytes += block.bytes;
  }

  /**
   * Gives memory back to the driver after the work that may use it. Errors say nothing new: those
   * of the work come with the next call too, and freeing must not hide why it was done.
   */
  #freeAll(blocks: readonly MemoryBlock[]): void {
    const driver = this.#context.enter();
    driver.cuCtxSynchronize();
    for (const block of blocks) driver.cuMemFree_v2(block.address);
  }

  #shortage(bytes: number, purpose: string): string {
    const { freeBytes, totalBytes } = this.available();
    return `${formatBytes(bytes)} were asked for (${purpose}) on cuda:${this.#context.ordinal}; ${this.#accountsOfAll.describe()}, and ${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} are free for anybody. Other processes may hold the rest.`;
  }
}

function roundUp(bytes: number): number {
  const step = bytes > smallBytesMax ? pageBytes : smallStepBytes;
  return Math.max(Math.ceil(bytes / step), 1) * step;
}
