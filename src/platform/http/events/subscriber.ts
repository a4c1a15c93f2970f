/** One open stream and what waits to be sent on it. */
export class Subscriber {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #encoder = new TextEncoder();
  readonly #cut: () => void;
  readonly #onEnd: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  /** `onEnd` is called once, whoever ended the stream. */
  constructor(options: {
    readonly backlogBytesMax: number;
    readonly cut: (() => void) | undefined;
    readonly onEnd: () => void;
  }) {
    this.#cut = options.cut ?? (() => {});
    this.#onEnd = options.onEnd;
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        cancel: () => this.#leave(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: options.backlogBytesMax }),
    );
  }

  /** Queues text; false when too much waits already. A stream that has ended takes anything. */
  offer(text: string): boolean {
    if (this.#controller === undefined) return true;
    const bytes = this.#encoder.encode(text);
    if ((this.#controller.desiredSize ?? 0) < bytes.length) return false;
    this.#controller.enqueue(bytes);
    return true;
  }

  /** Ends the stream after what is queued. */
  end(): void {
    this.#controller?.close();
    this.#leave();
  }

  /** Ends the stream of a reader that does not read: what is queued would never be sent. */
  drop(): void {
    this.end();
    this.#cut();
  }

  /** Ends the stream when the signal aborts. */
  endOn(signal: AbortSignal | undefined): void {
    if (signal?.aborted) this.end();
    else signal?.addEventListener("abort", () => this.end(), { once: true });
  }

  #leave(): void {
    if (this.#controller === undefined) return;
    this.#controller = undefined;
    this.#onEnd();
  }
}
