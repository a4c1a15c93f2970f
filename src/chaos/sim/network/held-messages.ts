import type { Try } from "../../transport/index.ts";
import { never } from "./network.ts";

/** What one connection keeps, and when it was tried. */
export interface HeldConnection<Message> {
  readonly messages: Message[];
  /** The last time, in vain. */
  tried: Try;
  /** The next time; `never`: its link is cut, so there is no use in trying. */
  dueUs: number;
}

/** Messages that a transport keeps while their link does not take them, in order, by connection. */
export class HeldMessages<Message> {
  readonly #connections = new Map<number, HeldConnection<Message>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  of(connection: number): HeldConnection<Message> | undefined {
    return this.#connections.get(connection);
  }

  /** The first of a connection was tried now. */
  add(connection: number, message: Message, nowUs: number): HeldConnection<Message> {
    const held = this.#connections.get(connection) ?? {
      messages: [],
      tried: { atUs: nowUs, before: 0 },
      dueUs: never,
    };
    this.#connections.set(connection, held);
    held.messages.push(message);
    this.#size++;
    return held;
  }

  connections(): readonly number[] {
    return [...this.#connections.keys()];
  }

  /** Takes out the first messages of a connection, or all. */
  take(connection: number, count = Number.POSITIVE_INFINITY): void {
    const held = this.#connections.get(connection);
    if (held === undefined) return;
    this.#size -= held.messages.splice(0, count).length;
    if (held.messages.length === 0) this.#connections.delete(connection);
  }
}
