import assert from "node:assert/strict";
import { driverResults } from "./cuda-error.ts";
import type { CudaEvent } from "./device.ts";
import type { DeviceContext } from "./device-context.ts";
import { readHandle } from "./result-buffers.ts";

// CU_EVENT_DISABLE_TIMING: cheaper to record.
const withoutTiming = 2;

/** A mark on a stream. */
export class DeviceEvent implements CudaEvent {
  readonly #context: DeviceContext;
  readonly #own: bigint;
  readonly #forget: (event: DeviceEvent) => void;
  #closed = false;

  constructor(
    context: DeviceContext,
    options: { readonly timing: boolean; readonly forget: (event: DeviceEvent) => void },
  ) {
    this.#context = context;
    this.#forget = options.forget;
    const result = Buffer.alloc(8);
    const code = context.enter().cuEventCreate(result, options.timing ? 0 : withoutTiming);
    context.check("cuEventCreate", code);
    this.#own = readHandle(result);
  }

  get handle(): bigint {
    if (this.#closed) assert.fail("this event was closed");
    return this.#own;
  }

  isDone(): boolean {
    const code = this.#context.enter().cuEventQuery(this.handle);
    if (code === driverResults.notReady) return false;
    this.#context.check("cuEventQuery", code);
    return true;
  }

  elapsedMsSince(start: CudaEvent): number {
    const milliseconds = Buffer.alloc(4);
    const driver = this.#context.enter();
    const code = driver.cuEventElapsedTime(milliseconds, start.handle, this.handle);
    this.#context.check(
      "cuEventElapsedTime",
      code,
      () => "Both events must be recorded, and the work before them done.",
    );
    return milliseconds.readFloatLE();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#forget(this);
    // An error is of no use here: a broken context always reports one.
    this.#context.enter().cuEventDestroy_v2(this.#own);
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
