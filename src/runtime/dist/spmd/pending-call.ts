import type { Tensor } from "../../tensor/index.ts";

/** What a call gives its rank: a tensor, or nothing (barrier, send). */
export type Result = Tensor | undefined;

export interface PendingHooks {
  /** The program waits for this call from now on. */
  onAwaited(): void;
  /** The program goes on with the result, which was there at this virtual time. */
  onTaken(atUs: number): void;
}

/**
 * The promise of one call. Unlike a plain promise it knows whether somebody waits for it: a rank is
 * blocked by a call it awaits, not by one it has started and left alone.
 *
 * `await` calls `then` of a subclass, and of a plain Promise it does not: hence the class.
 */
export class PendingCall extends Promise<Result> {
  isAwaited = false;
  /** What the call was refused with. */
  failure: Error | undefined;
  #answeredAtUs = 0;
  readonly #hooks: PendingHooks;
  readonly #resolve: (value: Result) => void;
  readonly #reject: (reason: Error) => void;

  /** Promises made from this one are plain ones. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(hooks: PendingHooks) {
    let resolveIt: (value: Result) => void = () => undefined;
    let rejectIt: (reason: Error) => void = () => undefined;
    super((resolve, reject) => {
      resolveIt = resolve;
      rejectIt = reject;
    });
    this.#hooks = hooks;
    this.#resolve = resolveIt;
    this.#reject = rejectIt;
    // A failure that nobody awaits is reported when the programs have ended, not as a crash.
    super.then(undefined, () => undefined);
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a promise has one; this one counts who calls it
  override then<A = Result, B = never>(
    onFulfilled?: ((value: Result) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.isAwaited = true;
    this.#hooks.onAwaited();
    const take = (value: Result) => {
      this.#hooks.onTaken(this.#answeredAtUs);
      return onFulfilled ? onFulfilled(value) : (value as A);
    };
    return super.then(take, onRejected);
  }

  settle(value: Result, atUs: number): void {
    this.#answeredAtUs = atUs;
    this.#resolve(value);
  }

  fail(error: Error): void {
    this.failure = error;
    this.#reject(error);
  }
}
