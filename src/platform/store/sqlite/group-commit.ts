import { TesseraError } from "../../errors/index.ts";
import type { Clock } from "../../time/clock.ts";
import { closedError } from "../closed-error.ts";
import { refuseNested } from "../nesting.ts";
import type { Answer, Asked, Statement } from "./connection.ts";
import { Group } from "./group.ts";
import { type Member, StatementMember, TransactionMember } from "./group-members.ts";

export interface GroupLimits {
  /** Writes that may wait for their turn; more are refused with E_STORE_BUSY. */
  readonly queueMax: number;
  /** Writes that share one commit. */
  readonly groupMax: number;
  /** A group takes no further member after this time, so that the first need not wait long. */
  readonly groupMsMax: number;
  /** How long a transaction may hold its turn and ask nothing before it is undone. */
  readonly idleMsMax: number;
}

export const groupLimits: GroupLimits = {
  queueMax: 10_000,
  groupMax: 256,
  groupMsMax: 50,
  idleMsMax: 30_000,
};

/**
 * The one writer. A commit costs an fsync however much it carries, so whoever asks while one is
 * under way shares the next. Writes happen in the order they were asked, one at a time, and each
 * caller hears of success only after the commit that carries its write.
 */
export class GroupCommit {
  readonly #connection: Asked;
  readonly #clock: Clock;
  readonly #shown: string;
  readonly #limits: GroupLimits;
  readonly #queue: Member[] = [];
  #working: Promise<void> | undefined;
  #closed = false;

  constructor(options: {
    readonly connection: Asked;
    readonly clock: Clock;
    readonly shown: string;
    readonly limits?: Partial<GroupLimits>;
  }) {
    this.#connection = options.connection;
    this.#clock = options.clock;
    this.#shown = options.shown;
    this.#limits = { ...groupLimits, ...options.limits };
  }

  /** Runs one statement as a transaction of its own; resolves when it is durable. */
  async write(statement: Statement): Promise<Answer> {
    const member = new StatementMember(statement);
    this.#enqueue(member);
    return await member.durable;
  }

  /** Starts a transaction; resolves when its turn has come. */
  async begin(): Promise<TransactionMember> {
    const { idleMsMax } = this.#limits;
    const member = new TransactionMember({ clock: this.#clock, idleMsMax, shown: this.#shown });
    this.#enqueue(member);
    await member.entered;
    return member;
  }

  /** Refuses new writes and waits for those accepted. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#working;
  }

  #enqueue(member: Member): void {
    refuseNested();
    if (this.#closed) throw closedError(this.#shown);
    if (this.#queue.length >= this.#limits.queueMax) {
      const problem = `${this.#queue.length} writes are waiting already`;
      throw new TesseraError("E_STORE_BUSY", { store: this.#shown, problem });
    }
    this.#queue.push(member);
    this.#working ??= this.#work();
  }

  async #work(): Promise<void> {
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      await this.#commitGroup(next);
    }
    this.#working = undefined;
  }

  async #commitGroup(first: Member): Promise<void> {
    const group = Group.begin(this.#connection);
    const startedMs = this.#clock.monotonicMs();
    const members: Member[] = [];
    for (let next: Member | undefined = first; next !== undefined; next = this.#queue.shift()) {
      members.push(next);
      await next.run(group);
      const full = members.length >= this.#limits.groupMax;
      const late = this.#clock.monotonicMs() - startedMs >= this.#limits.groupMsMax;
      if (full || late || !group.alive) break;
    }
    const error = await group.end();
    for (const member of members) {
      if (error === undefined) member.confirm();
      else member.fail(error);
    }
  }
}
