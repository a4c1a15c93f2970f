import type { Clock, Timer } from "../../time/clock.ts";

/** So often in a row nobody may be able to tell whether a reader may still read. */
const unansweredMax = 4;

/** One open stream and what waits to be sent on it. */
export class Subscriber {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #cut: () => void;
  readonly #onEnd: () => void;
  readonly #isStillGood: () => Promise<boolean>;
  #unanswered = 0;
  #asking: Timer | undefined;
  readonly owner: string | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  /** `onEnd` is called once, whoever ended the stream. */
  constructor(options: {
    readonly backlogBytesMax: number;
    readonly cut: (() => void) | undefined;
    readonly onEnd: () => void;
    readonly owner?: string | undefined;
    readonly isStillGood?: (() => Promise<boolean>) | undefined;
  }) {
    this.owner = options.owner;
    this.#isStillGood = options.isStillGood ?? (async () => true);
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

  /**
   * Queues bytes, which are shared with other streams and must not change; false when too much waits
   * already. A stream that has ended takes anything.
   */
  offer(bytes: Uint8Array): boolean {
    if (this.#controller === undefined) return true;
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

  /** Asks after a while whether its reader may still read; the first time that is asked for counts. */
  askAgainIn(clock: Clock, delayMs: number): void {
    if (delayMs === 0) {
      void this.#askAgain();
      return;
    }
    this.#asking ??= clock.setTimer(delayMs, () => {
      this.#asking = undefined;
      void this.#askAgain();
    });
  }

  /** Ends the stream of a reader who may no longer read. Never rejects. */
  async #askAgain(): Promise<void> {
    try {
      if (await this.#isStillGood()) this.#unanswered = 0;
      else this.end();
    } catch {
      // A store that is away for a moment is no reason to send everybody away.
      this.#unanswered++;
      if (this.#unanswered >= unansweredMax) this.end();
    }
  }

  #leave(): void {
    if (this.#controller === undefined) return;
    this.#controller = undefined;
    this.#asking?.cancel();
    this.#onEnd();
  }
}
