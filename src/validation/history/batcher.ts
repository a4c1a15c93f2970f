import { isTesseraError } from "../../platform/errors/index.ts";

export interface BatchLimits {
  /** Items that share one turn. */
  readonly itemsMax: number;
  /** How much one turn may weigh; a single item may weigh more. */
  readonly weightMax: number;
  /** Items that may wait. */
  readonly waitingMax: number;
  /** How much may wait. */
  readonly waitingWeightMax: number;
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly weight: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Lets callers who come while work is under way share the next turn. One turn at a time, in the
 * order of arrival; each caller gets its own answer.
 */
export class Batcher<Item, Answer> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Answer[]>;
  readonly #limits: BatchLimits;
  readonly #full: () => Error;
  readonly #waiting: Waiting<Item, Answer>[] = [];
  #waitingWeight = 0;
  #working = false;

  /**
   * @param options.work gives an answer for each item, in order.
   * @param options.full makes the error for whoever finds the queue full.
   */
  constructor(options: {
    readonly work: (items: readonly Item[]) => Promise<readonly Answer[]>;
    readonly limits: BatchLimits;
    readonly full: () => Error;
  }) {
    this.#work = options.work;
    this.#limits = options.limits;
    this.#full = options.full;
  }

  /** Waits for a turn and gives the answer for this item. */
  async add(item: Item, weight: number): Promise<Answer> {
    const { waitingMax, waitingWeightMax } = this.#limits;
    if (this.#waiting.length >= waitingMax || this.#waitingWeight >= waitingWeightMax) {
      throw this.#full();
    }
    return await new Promise<Answer>((resolve, reject) => {
      this.#waiting.push({ item, weight, resolve, reject });
      this.#waitingWeight += weight;
      if (!this.#working) void this.#takeTurns();
    });
  }

  async #takeTurns(): Promise<void> {
    this.#working = true;
    // Whoever asks in the same breath as the first comes along.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#turn(this.#next());
    this.#working = false;
  }

  #next(): readonly Waiting<Item, Answer>[] {
    let weight = 0;
    let count = 0;
    for (const waiting of this.#waiting) {
      if (count === this.#limits.itemsMax) break;
      if (count > 0 && weight + waiting.weight > this.#limits.weightMax) break;
      weight += waiting.weight;
      count += 1;
    }
    this.#waitingWeight -= weight;
    return this.#waiting.splice(0, count);
  }

  async #turn(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.#work(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const answer = answers[index];
        if (answer === undefined) reject(new Error("an item was left without an answer"));
        else resolve(answer);
      }
    } catch (error) {
      // Trouble with the store meets everyone alike; one bad item must not spoil the others.
      if (batch.length === 1 || isTesseraError(error)) {
        for (const { reject } of batch) reject(error);
      } else {
        for (const single of batch) await this.#turn([single]);
      }
    }
  }
}
