import assert from "node:assert/strict";
import type { ServerEvent } from "./server-event.ts";

/** What a reader that comes back has missed. */
export interface Missed {
  readonly events: readonly ServerEvent[];
  /** False when events were lost: the log no longer has them, or another process wrote them. */
  readonly complete: boolean;
}

/** The latest events, in order and bounded, so that a reader can go on where it stopped. */
export class EventLog {
  readonly #epoch: string;
  readonly #capacity: number;
  #events: ServerEvent[] = [];
  #lastNumber = 0;

  constructor(options: { readonly epoch: string; readonly capacity: number }) {
    assert(options.capacity > 0, "an event log holds at least one event");
    assert(/^[a-z0-9]+$/i.test(options.epoch), "an epoch is one word");
    this.#epoch = options.epoch;
    this.#capacity = options.capacity;
  }

  append(type: string, data: unknown): ServerEvent {
    assert(/^[\w.-]+$/.test(type), `not an event type: ${type}`);
    this.#lastNumber++;
    const event = { id: `${this.#epoch}-${this.#lastNumber}`, type, data };
    this.#events.push(event);
    if (this.#events.length > this.#capacity) this.#events.shift();
    return event;
  }

  /** The id of the newest event, or of the beginning when there is none. */
  get lastId(): string {
    return `${this.#epoch}-${this.#lastNumber}`;
  }

  /** The events after `lastEventId`, as far as the log still has them. */
  since(lastEventId: string): Missed {
    const number = this.#numberOf(lastEventId);
    if (number === undefined) return { events: [], complete: false };
    const missedCount = this.#lastNumber - number;
    const events = missedCount === 0 ? [] : this.#events.slice(-missedCount);
    return { events, complete: events.length === missedCount };
  }

  #numberOf(id: string): number | undefined {
    const match = /^([a-z0-9]+)-(\d{1,15})$/i.exec(id);
    if (match?.[1] !== this.#epoch) return undefined;
    const number = Number(match[2]);
    return number <= this.#lastNumber ? number : undefined;
  }
}
