import type { CudaEvent, CudaStream } from "../device/device.ts";

/** The end of a piece of work, for work on other streams that comes after it. */
export class StreamMark {
  readonly #event: CudaEvent;
  #stream: CudaStream | undefined;

  constructor(event: CudaEvent) {
    this.#event = event;
  }

  set(stream: CudaStream): void {
    stream.record(this.#event);
    this.#stream = stream;
  }

  /** What is put on the stream from now on comes after it; before the first `set`, after nothing. */
  holdUp(stream: CudaStream): void {
    if (this.#stream !== undefined && this.#stream !== stream) stream.waitFor(this.#event);
  }
}
