/** Messages that a transport keeps while their link is cut, in order, by connection. */
export class HeldMessages<Message> {
  readonly #queues = new Map<number, { readonly sinceUs: number; readonly messages: Message[] }>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(connection: number): boolean {
    return this.#queues.has(connection);
  }

  /** When the first of a connection was sent. */
  sinceUs(connection: number): number | undefined {
    return this.#queues.get(connection)?.sinceUs;
  }

  add(connection: number, message: Message, nowUs: number): void {
    const queue = this.#queues.get(connection) ?? { sinceUs: nowUs, messages: [] };
    this.#queues.set(connection, queue);
    queue.messages.push(message);
    this.#size++;
  }

  connections(): readonly number[] {
    return [...this.#queues.keys()];
  }

  /** Takes out all messages of a connection. */
  take(connection: number): readonly Message[] {
    const messages = this.#queues.get(connection)?.messages ?? [];
    this.#queues.delete(connection);
    this.#size -= messages.length;
    return messages;
  }
}
