import type { Answer, Asked, Statement } from "./connection.ts";

/**
 * One SQLite transaction that carries the writes of several callers to the disk together. Its
 * statements are sent without waiting for those before: the connection keeps their order. They may
 * be lazy, because a group always ends with a commit, which is not.
 */
export class Group {
  readonly #connection: Asked;
  #lost: Error | undefined;

  /** Opens a group. That this failed, if it did, is told by what is asked of the group next. */
  static begin(connection: Asked): Group {
    const group = new Group(connection);
    void connection.ask({ sql: "begin immediate", control: true, lazy: true }).then(
      (answer) => group.#noteLoss(answer),
      (error: Error) => group.#lose(error),
    );
    return group;
  }

  private constructor(connection: Asked) {
    this.#connection = connection;
  }

  /** False once SQLite has undone the whole group, as it does when the disk is full. */
  get alive(): boolean {
    return this.#lost === undefined;
  }

  /** Runs a statement inside the group; throws what lost the group, if it is lost. */
  async run(statement: Statement): Promise<Answer> {
    const answer = await this.#connection.ask({ ...statement, needsTransaction: true });
    this.#noteLoss(answer);
    const error = this.#lost ?? answer.error;
    if (error !== undefined) throw error;
    return answer;
  }

  /** Runs a statement that controls savepoints inside the group. */
  async control(sql: string, options: { readonly lazy: boolean } = { lazy: true }): Promise<void> {
    await this.run({ sql, control: true, ...options });
  }

  /** Makes everything in the group durable. Gives the error when nothing of it was kept. */
  async end(): Promise<Error | undefined> {
    const answer = await this.#connection
      .ask({ sql: "commit", control: true, needsTransaction: true })
      .catch((error: Error) => ({ error, inTransaction: false }));
    if (answer.error === undefined) return undefined;
    this.#noteLoss(answer);
    if (answer.inTransaction) {
      this.#lose(answer.error);
      await this.#connection.ask({ sql: "rollback", control: true }).catch(() => undefined);
    }
    return this.#lost;
  }

  #noteLoss(answer: Pick<Answer, "error" | "inTransaction">): void {
    if (!answer.inTransaction && answer.error !== undefined) this.#lose(answer.error);
  }

  // Only the first error tells why; the others follow from it.
  #lose(error: Error): void {
    this.#lost ??= error;
  }
}
