import assert from "node:assert/strict";
import { OverflowError } from "./overflow-error.ts";
import { Waiters } from "./waiters.ts";

/** What happens to an item when the queue is full: it waits, it is refused, or the oldest makes room. */
export type OverflowPolicy = "wait" | "reject" | "dropOldest";

export interface BoundedQueueOptions {
  /** How many items the queue holds. */
  readonly capacity: number;
  readonly overflow: OverflowPolicy;
  /** How many may wait to put an item in, and how many to take one out. @default 1000 */
  readonly waitersMax?: number;
}

/**
 * A first-in first-out queue between asynchronous parts that never holds more than its capacity.
 * Closing it lets readers take what is left and then ends them; writers are refused.
 */
export class BoundedQueue<T extends object | string | number | boolean | null> {
  readonly #capacity: number;
  readonly #overflow: OverflowPolicy;
  readonly #items: T[] = [];
  readonly #readers: Waiters<T | undefined>;
  readonly #writers: Waiters<void, T>;
  #dropped = 0;
  #closed = false;

  constructor(options: BoundedQueueOptions) {
    const { capacity, overflow, waitersMax = 1000 } = options;
    assert(Number.isSafeInteger(capacity) && capacity >= 1, "capacity is at least 1");
    this.#capacity = capacity;
    this.#overflow = overflow;
    this.#readers = new Waiters(waitersMax);
    this.#writers = new Waiters(waitersMax);
  }

  get size(): number {
    return this.#items.length;
  }

  /** How many items were dropped to make room, since the beginning. */
  get dropped(): number {
    return this.#dropped;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Puts an item in without waiting. False when the queue is closed, or full and not `dropOldest`. */
  offer(item: T): boolean {
    if (this.#closed) return false;
    // A reader waits only while the queue is empty, so the item is next in line.
    if (this.#readers.wake(item) !== undefined) return true;
    if (this.#items.length >= this.#capacity) {
      if (this.#overflow !== "dropOldest") return false;
      this.#items.shift();
      this.#dropped++;
    }
    this.#items.push(item);
    return true;
  }

  /**
   * Puts an item in; with the policy `wait`, when there is room.
   *
   * @throws OverflowError when the queue is full with the policy `reject`, closed, or has too many
   * writers waiting; the signal's reason when that aborts.
   */
  async push(item: T, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.offer(item)) return;
    if (this.#closed) throw new OverflowError("the queue is closed");
    if (this.#overflow !== "wait")
      throw new OverflowError(`the queue holds ${this.#capacity} items`);
    await this.#writers.wait(item, signal);
  }

  /**
   * Takes the oldest item out, waiting for one; undefined once the queue is closed and empty.
   *
   * @throws the signal's reason when that aborts; OverflowError when too many readers wait.
   */
  async take(signal?: AbortSignal): Promise<T | undefined> {
    signal?.throwIfAborted();
    const item = this.#items.shift();
    if (item === undefined) {
      return this.#closed ? undefined : await this.#readers.wait(undefined, signal);
    }
    // The place goes to the writer who has waited longest, before anyone else can take it.
    const writer = this.#writers.wake();
    if (writer !== undefined) this.#items.push(writer.brought);
    return item;
  }

  /** No more items: waiting writers are refused, readers get what is left and then undefined. */
  close(): void {
    this.#closed = true;
    this.#writers.rejectAll(new OverflowError("the queue is closed"));
    while (this.#readers.wake(undefined) !== undefined) continue;
  }

  /** Takes items until the queue is closed and empty. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    for (let item = await this.take(); item !== undefined; item = await this.take()) yield item;
  }
}
