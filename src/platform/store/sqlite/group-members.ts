import { TesseraError } from "../../errors/index.ts";
import type { Clock, Timer } from "../../time/clock.ts";
import type { Answer, Statement } from "./connection.ts";
import type { Group } from "./group.ts";
import { createOutcome } from "./outcome.ts";

/** One caller's share of a group. */
export interface Member {
  /** Does its work inside the group; resolves when the next member may start. */
  run(group: Group): Promise<void>;
  /** Called when the group is on the disk. */
  confirm(): void;
  /** Called when the group was lost, or never came to be. */
  fail(error: Error): void;
}

/** A single statement: atomic by itself, so it needs no savepoint and no one waits for it. */
export class StatementMember implements Member {
  readonly #statement: Statement;
  readonly #durable = createOutcome<Answer>();
  #answer: Answer | undefined;

  constructor(statement: Statement) {
    this.#statement = statement;
  }

  /** The statement's answer, once it is durable. */
  get durable(): Promise<Answer> {
    return this.#durable.promise;
  }

  run(group: Group): Promise<void> {
    void this.#runIn(group);
    return Promise.resolve();
  }

  async #runIn(group: Group): Promise<void> {
    try {
      this.#answer = await group.run({ ...this.#statement, lazy: true });
    } catch (error) {
      this.#durable.reject(error);
    }
  }

  confirm(): void {
    // A statement that failed was rejected before; for it this changes nothing.
    if (this.#answer !== undefined) this.#durable.resolve(this.#answer);
  }

  fail(error: Error): void {
    this.#durable.reject(error);
  }
}

/**
 * A transaction of several statements, in a savepoint: undoing it leaves the others in its group
 * alone. As on PostgreSQL, a statement that failed dooms the whole transaction.
 */
export class TransactionMember implements Member {
  readonly #clock: Clock;
  readonly #idleMsMax: number;
  readonly #shown: string;
  readonly #entered = createOutcome<void>();
  readonly #left = createOutcome<void>();
  readonly #durable = createOutcome<void>();
  #group: Group | undefined;
  #timer: Timer | undefined;
  #doom: Error | undefined;
  #lastStatement: Promise<unknown> = Promise.resolve();

  constructor(options: {
    readonly clock: Clock;
    readonly idleMsMax: number;
    readonly shown: string;
  }) {
    this.#clock = options.clock;
    this.#idleMsMax = options.idleMsMax;
    this.#shown = options.shown;
  }

  /** Resolves when it is this transaction's turn. */
  get entered(): Promise<void> {
    return this.#entered.promise;
  }

  run(group: Group): Promise<void> {
    this.#group = group;
    this.#startIdling();
    group.control("savepoint member").catch((error: Error) => this.#doomBy(error));
    this.#entered.resolve();
    return this.#left.promise;
  }

  async execute(statement: Statement): Promise<Answer> {
    if (this.#doom !== undefined) throw this.#doom;
    if (this.#group === undefined) throw new Error("this transaction has ended");
    this.#timer?.cancel();
    const answer = this.#group.run(statement);
    const settled = answer.then(
      () => undefined,
      (error: Error) => this.#doomBy(error),
    );
    this.#lastStatement = settled;
    void settled.then(() => this.#lastStatement === settled && this.#startIdling());
    return await answer;
  }

  /** Keeps what was written. Resolves when it is durable, which the group decides. */
  async commit(): Promise<void> {
    // Answers come in order: after the last one, every statement's failure is known.
    await this.#lastStatement;
    if (this.#doom !== undefined) {
      await this.rollback();
      throw this.#doom;
    }
    const group = this.#leave();
    group?.control("release member").catch((error: Error) => this.#durable.reject(error));
    await this.#durable.promise;
  }

  /** Undoes what was written; nothing when the transaction has ended already. */
  async rollback(): Promise<void> {
    const group = this.#leave();
    if (group === undefined) return;
    const undone = [
      group.control("rollback to member"),
      group.control("release member", { lazy: false }),
    ];
    // When the group is lost, its transactions are undone with it.
    await Promise.allSettled(undone);
  }

  confirm(): void {
    this.#durable.resolve();
  }

  fail(error: Error): void {
    this.#doomBy(error);
    this.#entered.reject(error);
    this.#durable.reject(error);
  }

  /** Others wait while this transaction does nothing, so that may not go on for ever. */
  #startIdling(): void {
    if (this.#group === undefined) return;
    this.#timer = this.#clock.setTimer(this.#idleMsMax, () => void this.#expire());
  }

  async #expire(): Promise<void> {
    const problem = `a transaction did nothing for ${this.#idleMsMax / 1000} s and was undone`;
    this.#doomBy(new TesseraError("E_STORE_BUSY", { store: this.#shown, problem }));
    await this.rollback();
  }

  #doomBy(error: Error): void {
    this.#doom ??= error;
  }

  /** Gives the turn to the next member; what is sent after this call still comes before theirs. */
  #leave(): Group | undefined {
    const group = this.#group;
    this.#group = undefined;
    this.#timer?.cancel();
    this.#left.resolve();
    return group;
  }
}
