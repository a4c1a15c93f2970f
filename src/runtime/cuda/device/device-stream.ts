import assert from "node:assert/strict";
import { type Clock, sleep } from "../../../platform/time/clock.ts";
import type {
  CudaDevice,
  CudaEvent,
  CudaStream,
  DeviceBuffer,
  DevicePlace,
  Dim3,
  Kernel,
  KernelLaunch,
} from "./device.ts";
import type { DeviceContext } from "./device-context.ts";
import type { DeviceEvent } from "./device-event.ts";
import type { ArgumentBlock } from "./kernel-arguments.ts";
import { LoadedKernel } from "./kernel-module.ts";
import { PooledBuffer } from "./pooled-buffer.ts";
import { readHandle } from "./result-buffers.ts";

// CU_STREAM_NON_BLOCKING: does not wait for the legacy stream that other libraries may use.
const nonBlocking = 1;
const pollMs = 1;

/** What a stream needs of its device. */
export interface StreamHome {
  readonly device: CudaDevice;
  readonly context: DeviceContext;
  readonly arguments: ArgumentBlock;
  readonly clock: Clock;
  /** Whether a copy of these bytes to the GPU may still be reading them when the call returns. */
  readsLater(bytes: Uint8Array): boolean;
  createEvent(options: { readonly timing: boolean }): DeviceEvent;
  forgetStream(stream: DeviceStream): void;
}

/** A stream of one GPU. */
export class DeviceStream implements CudaStream {
  readonly device: CudaDevice;
  readonly #home: StreamHome;
  readonly #context: DeviceContext;
  readonly #own: bigint;
  readonly #marks: DeviceEvent[] = [];
  #closed = false;

  /** @param priority the driver's: lower numbers go first */
  constructor(home: StreamHome, priority: number) {
    this.#home = home;
    this.device = home.device;
    this.#context = home.context;
    const result = Buffer.alloc(8);
    const driver = this.#context.enter();
    const code = driver.cuStreamCreateWithPriority(result, nonBlocking, priority);
    this.#context.check("cuStreamCreateWithPriority", code);
    this.#own = readHandle(result);
  }

  get handle(): bigint {
    if (this.#closed) assert.fail("this stream was closed");
    return this.#own;
  }

  uses(...buffers: readonly DeviceBuffer[]): void {
    for (const buffer of buffers) this.#addressOf(buffer);
  }

  upload(target: DevicePlace, bytes: Uint8Array): void {
    const address = this.#placeOf(target, bytes.byteLength);
    if (bytes.byteLength === 0) return;
    const driver = this.#context.enter();
    const code = driver.cuMemcpyHtoDAsync_v2(address, bytes, bytes.byteLength, this.handle);
    this.#context.check("cuMemcpyHtoDAsync", code);
    if (this.#home.readsLater(bytes)) this.synchronize();
  }

  download(source: DevicePlace, into: Uint8Array): void {
    const address = this.#placeOf(source, into.byteLength);
    if (into.byteLength === 0) return;
    const driver = this.#context.enter();
    const code = driver.cuMemcpyDtoHAsync_v2(into, address, into.byteLength, this.handle);
    this.#context.check("cuMemcpyDtoHAsync", code);
    this.synchronize();
  }

  copy(target: DevicePlace, source: DevicePlace, bytes: number): void {
    const from = this.#placeOf(source, bytes);
    const to = this.#placeOf(target, bytes);
    if (bytes === 0) return;
    const driver = this.#context.enter();
    const code = driver.cuMemcpyDtoDAsync_v2(to, from, bytes, this.handle);
    this.#context.check("cuMemcpyDtoDAsync", code);
  }

  fill(target: DevicePlace, byte: number, bytes: number): void {
    assert(Number.isInteger(byte) && byte >= 0 && byte <= 255, `${byte} is not a byte`);
    const address = this.#placeOf(target, bytes);
    if (bytes === 0) return;
    const driver = this.#context.enter();
    const code = driver.cuMemsetD8Async(address, byte, bytes, this.handle);
    this.#context.check("cuMemsetD8Async", code);
  }

  launch(kernel: Kernel, launch: KernelLaunch): void {
    const { grid, block, sharedBytes = 0 } = launch;
    const driver = this.#context.enter();
    if (kernel instanceof LoadedKernel) kernel.allowShared(sharedBytes);
    this.#home.arguments.set(launch.args, this.#addressOf);
    const code = driver.cuLaunchKernel(
      kernel.handle,
      side(grid, 0),
      side(grid, 1),
      side(grid, 2),
      side(block, 0),
      side(block, 1),
      side(block, 2),
      sharedBytes,
      this.handle,
      this.#home.arguments.address,
      null,
    );
    this.#context.lastKernel = kernel.name;
    this.#context.check("cuLaunchKernel", code, () => describeLaunch(kernel, launch));
  }

  record(event: CudaEvent): void {
    this.#context.check(
      "cuEventRecord",
      this.#context.enter().cuEventRecord(event.handle, this.handle),
    );
  }

  waitFor(event: CudaEvent): void {
    const driver = this.#context.enter();
    this.#context.check(
      "cuStreamWaitEvent",
      driver.cuStreamWaitEvent(this.handle, event.handle, 0),
    );
  }

  /** What is put here from now on comes after what is on another stream now. */
  comeAfter(other: DeviceStream): void {
    // A closed stream has done all its work.
    if (other.#closed) return;
    const mark = this.#takeMark();
    other.record(mark);
    this.waitFor(mark);
    // The wait is for the record just made: the event may be recorded again at once.
    this.#marks.push(mark);
  }

  synchronize(): void {
    const driver = this.#context.enter();
    this.#context.check("cuStreamSynchronize", driver.cuStreamSynchronize(this.handle));
  }

  async settled(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const mark = this.#takeMark();
    this.record(mark);
    try {
      while (!this.#closed && !mark.isDone()) await sleep(this.#home.clock, pollMs, signal);
    } finally {
      if (this.#closed) mark.close();
      else this.#marks.push(mark);
    }
  }

  close(): void {
    if (this.#closed) return;
    const driver = this.#context.enter();
    // Errors are of no use here: a broken context always reports one.
    driver.cuStreamSynchronize(this.#own);
    driver.cuStreamDestroy_v2(this.#own);
    this.#closed = true;
    for (const mark of this.#marks.splice(0)) mark.close();
    this.#home.forgetStream(this);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Where a buffer is, for work that is put here next. */
  readonly #addressOf = (buffer: DeviceBuffer): bigint =>
    buffer instanceof PooledBuffer ? buffer.addressOn(this) : buffer.address;

  #takeMark(): DeviceEvent {
    return this.#marks.pop() ?? this.#home.createEvent({ timing: false });
  }

  #placeOf({ buffer, offsetBytes = 0 }: DevicePlace, bytes: number): bigint {
    const end = offsetBytes + bytes;
    if (offsetBytes < 0 || bytes < 0 || end > buffer.bytes) {
      assert.fail(`bytes ${offsetBytes} to ${end} lie outside of a buffer of ${buffer.bytes}`);
    }
    const address = this.#addressOf(buffer);
    return offsetBytes === 0 ? address : address + BigInt(offsetBytes);
  }
}

function side(dimensions: Dim3, axis: 0 | 1 | 2): number {
  if (typeof dimensions === "number") return axis === 0 ? dimensions : 1;
  return dimensions[axis] ?? 1;
}

function describeLaunch(kernel: Kernel, { grid, block, sharedBytes = 0 }: KernelLaunch): string {
  const text = (dimensions: Dim3) => [0, 1, 2].map((axis) => side(dimensions, axis as 0)).join("x");
  return `The kernel is ${kernel.name} with a grid of ${text(grid)}, blocks of ${text(block)} and ${sharedBytes} bytes of shared memory.`;
}
