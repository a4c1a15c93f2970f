import assert from "node:assert/strict";

/** Memory for one piece of work. */
export interface Loan {
  /** As long as was asked for, or a little longer. Holds what the last borrower left in it. */
  readonly buffer: ArrayBuffer;
  giveBack(): void;
}

const page = 4096;
const keptMax = 32;

/**
 * Memory for what is hashed and written at the same time; who wants more than is left waits in turn.
 * Buffers are lent again: the system takes longer to clear new ones than we take to fill them.
 */
export class ByteBudget {
  readonly #limit: number;
  #used = 0;
  readonly #waiting: { readonly bytes: number; readonly start: () => void }[] = [];
  /** The last to come back are the first to go out again. */
  readonly #kept: ArrayBuffer[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Waits until so many bytes are free. Whoever wants more than the limit has to be alone. */
  async take(wanted: number): Promise<Loan> {
    const bytes = Math.ceil(wanted / page) * page;
    if (this.#waiting.length > 0 || !this.#fits(bytes)) {
      await new Promise<void>((start) => this.#waiting.push({ bytes, start }));
    } else {
      this.#used += bytes;
    }
    const at = this.#kept.findLastIndex(({ byteLength }) => byteLength === bytes);
    const [buffer = new ArrayBuffer(bytes)] = at === -1 ? [] : this.#kept.splice(at, 1);
    let held = true;
    const giveBack = () => {
      assert(held, "memory is given back once");
      held = false;
      this.#used -= bytes;
      this.#kept.push(buffer);
      if (this.#kept.length > keptMax) this.#kept.shift();
      this.#wake();
    };
    return { buffer, giveBack };
  }

  #fits(bytes: number): boolean {
    return this.#used === 0 || this.#used + bytes <= this.#limit;
  }

  #wake(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#fits(next.bytes); ) {
      this.#waiting.shift();
      this.#used += next.bytes;
      next.start();
      next = this.#waiting[0];
    }
  }
}

/** Work that goes on at the same time; the first error stops what has not begun. */
export class Together {
  readonly #tasks = new Set<Promise<void>>();
  #failed = false;
  #error: unknown;

  /** @throws the first error of what was started before */
  start(work: () => Promise<void>): void {
    this.throwIfFailed();
    const task: Promise<void> = work()
      .catch((error: unknown) => {
        if (!this.#failed) this.#error = error;
        this.#failed = true;
      })
      .finally(() => this.#tasks.delete(task));
    this.#tasks.add(task);
  }

  throwIfFailed(): void {
    if (this.#failed) throw this.#error;
  }

  /** Waits for all that was started. @throws the first error */
  async finish(): Promise<void> {
    await this.settled();
    this.throwIfFailed();
  }

  async settled(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.all(this.#tasks);
  }
}
