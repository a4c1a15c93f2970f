import assert from "node:assert/strict";
import { type Clock, sleep } from "../../../platform/time/clock.ts";
import type { CudaDevice, CudaEvent } from "../../cuda/device/device.ts";

const pollMs = 1;

/** Iterations that were put on the stream together. */
interface Batch {
  /** One after each iteration. */
  readonly ends: readonly CudaEvent[];
}

/**
 * Iterations on a stream, with an event after each: what each took is the time between its event and
 * the one before, so that gaps count as well. Two batches are under way at a time, so that the GPU
 * has work while the host looks at what is done.
 */
export class EventLine implements Disposable {
  readonly #device: CudaDevice;
  readonly #clock: Clock;
  readonly #spare: CudaEvent[] = [];
  readonly #underWay: Batch[] = [];
  #last: CudaEvent | undefined;

  constructor(device: CudaDevice, clock: Clock) {
    this.#device = device;
    this.#clock = clock;
  }

  get batchesUnderWay(): number {
    return this.#underWay.length;
  }

  /** Puts iterations on the stream. */
  put(count: number, iteration: () => void): void {
    assert(count >= 1, "a batch has an iteration");
    if (this.#underWay.length === 0) this.#startAnew();
    const ends: CudaEvent[] = [];
    for (let at = 0; at < count; at++) {
      iteration();
      ends.push(this.#recorded());
    }
    this.#underWay.push({ ends });
  }

  /** Waits for the oldest batch and says what its iterations took, in milliseconds. */
  async next(signal?: AbortSignal): Promise<readonly number[]> {
    const batch = this.#underWay[0];
    const end = batch?.ends.at(-1);
    assert(batch !== undefined && end !== undefined, "a batch is under way");
    while (!end.isDone()) await sleep(this.#clock, pollMs, signal);
    this.#underWay.shift();
    return batch.ends.map((event) => {
      const before = this.#last;
      assert(before !== undefined, "there is an event before the first iteration");
      const tookMs = event.elapsedMsSince(before);
      this.#spare.push(before);
      this.#last = event;
      return tookMs;
    });
  }

  [Symbol.dispose](): void {
    const ends = this.#underWay.splice(0).flatMap((batch) => batch.ends);
    const all = [
      ...ends,
      ...this.#spare.splice(0),
      ...(this.#last === undefined ? [] : [this.#last]),
    ];
    this.#last = undefined;
    for (const event of all) event.close();
  }

  /** After a pause, which no iteration is to blame for. */
  #startAnew(): void {
    if (this.#last !== undefined) this.#spare.push(this.#last);
    this.#last = this.#recorded();
  }

  #recorded(): CudaEvent {
    const event = this.#spare.pop() ?? this.#device.createEvent();
    this.#device.stream.record(event);
    return event;
  }
}
