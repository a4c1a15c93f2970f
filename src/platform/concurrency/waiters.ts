import { OverflowError } from "./overflow-error.ts";

interface Waiter<Given, Brought> {
  readonly brought: Brought;
  readonly resolve: (value: Given) => void;
  readonly reject: (reason: unknown) => void;
  readonly release: () => void;
}

/**
 * Callers that wait for their turn, first come first served, no more than a given number. Each is
 * given something when woken, and may bring something for whoever wakes it.
 */
export class Waiters<Given, Brought = undefined> {
  readonly #waitersMax: number;
  readonly #waiting = new Set<Waiter<Given, Brought>>();

  constructor(waitersMax: number) {
    this.#waitersMax = waitersMax;
  }

  get count(): number {
    return this.#waiting.size;
  }

  /** Waits to be woken. Rejects with the signal's reason, or with OverflowError when too many wait. */
  wait(brought: Brought, signal?: AbortSignal): Promise<Given> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#waiting.size >= this.#waitersMax) {
      return Promise.reject(new OverflowError(`already ${this.#waitersMax} callers wait`));
    }
    return new Promise<Given>((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.delete(waiter);
        reject(signal?.reason);
      };
      const release = () => signal?.removeEventListener("abort", onAbort);
      const waiter = { brought, resolve, reject, release };
      this.#waiting.add(waiter);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Wakes the one who has waited longest and returns what it brought; undefined when nobody waits. */
  wake(given: Given): { readonly brought: Brought } | undefined {
    const waiter = this.#takeFirst();
    waiter?.resolve(given);
    return waiter;
  }

  /** Ends the waiting of all. */
  rejectAll(reason: unknown): void {
    for (let waiter = this.#takeFirst(); waiter !== undefined; waiter = this.#takeFirst()) {
      waiter.reject(reason);
    }
  }

  #takeFirst(): Waiter<Given, Brought> | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    this.#waiting.delete(first);
    first.release();
    return first;
  }
}
