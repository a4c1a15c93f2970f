import type { SendLane } from "../../world/send-lane.ts";

/** Handed to the system and not yet gone, for one connection. */
const inFlightMax = 16;

/** What one rank sends to another in one operation: views of its buffers, in order. */
export class Outgoing {
  readonly #lane: SendLane;
  readonly #queue: Uint8Array[] = [];
  readonly #onProgress: () => void;
  #at = 0;
  #inFlight = 0;
  #leftBytes: number;

  constructor(options: {
    readonly lane: SendLane;
    /** All that will be pushed, in bytes. */
    readonly sizeBytes: number;
    /** Told whenever something has left. */
    readonly onProgress: () => void;
  }) {
    this.#lane = options.lane;
    this.#leftBytes = options.sizeBytes;
    this.#onProgress = options.onProgress;
  }

  get isDone(): boolean {
    return this.#leftBytes === 0;
  }

  push(bytes: Uint8Array): void {
    this.#queue.push(bytes);
  }

  /** Hands over as much as may be under way. */
  pump(): void {
    this.#lane.cork();
    while (this.#at < this.#queue.length && this.#inFlight < inFlightMax) {
      const bytes = this.#queue[this.#at] as Uint8Array;
      this.#at += 1;
      this.#inFlight += 1;
      this.#lane.write(bytes, () => {
        this.#inFlight -= 1;
        this.#leftBytes -= bytes.length;
        this.#onProgress();
        if (this.#at < this.#queue.length) this.pump();
      });
    }
    this.#lane.uncork();
  }
}
