import { TesseraError } from "../../errors/index.ts";
import type { Clock, Timer } from "../../time/clock.ts";
import { EventLog } from "./event-log.ts";
import { encodeEvent, encodeRetry, heartbeatText } from "./server-event.ts";
import { Subscriber } from "./subscriber.ts";

export interface EventHubOptions {
  readonly clock: Clock;
  /** How often an idle stream gets a sign of life. @default 15 000 */
  readonly heartbeatMs?: number;
  /** How many events a reader may have missed and still catch up. @default 1024 */
  readonly capacity?: number;
  /** Streams open at once. @default 1024 */
  readonly subscribersMax?: number;
  /** Bytes that may wait for one reader before it counts as too slow. @default 262 144 */
  readonly backlogBytesMax?: number;
  /** Called for each event, for metrics. */
  readonly onPublish?: (type: string) => void;
  /** Called for each reader dropped for being too slow. */
  readonly onDrop?: () => void;
}

export interface SubscribeOptions {
  /** The last event the reader has seen, from its `Last-Event-ID` header. */
  readonly lastEventId?: string | undefined;
  /** Aborts when the reader has gone away. */
  readonly signal?: AbortSignal | undefined;
  /** Breaks the connection of a reader that is too slow for an orderly end. */
  readonly cut?: (() => void) | undefined;
  /** Whose stream it is, and how many they may have. @default nobody's in particular */
  readonly owner?: { readonly key: string; readonly streamsMax: number } | undefined;
  /** Asked once between two signs of life; the stream ends when its reader may no longer read. */
  readonly isStillGood?: (() => Promise<boolean>) | undefined;
}

const reconnectDelayMs = 1000;

/**
 * Carries events from whoever publishes to every open stream. Publishing never waits: a reader that
 * cannot keep up loses its stream, connects again and catches up from the log.
 */
export class EventHub {
  readonly #options: Required<Omit<EventHubOptions, "onPublish" | "onDrop">>;
  readonly #onPublish: (type: string) => void;
  readonly #onDrop: () => void;
  readonly #log: EventLog;
  readonly #encoder = new TextEncoder();
  readonly #subscribers = new Set<Subscriber>();
  #heartbeat: Timer | undefined;
  #closed = false;

  constructor(options: EventHubOptions) {
    this.#options = {
      heartbeatMs: 15_000,
      capacity: 1024,
      subscribersMax: 1024,
      backlogBytesMax: 256 * 1024,
      ...options,
    };
    this.#onPublish = options.onPublish ?? (() => {});
    this.#onDrop = options.onDrop ?? (() => {});
    // Readers keep ids across a restart of the server; the start time tells the old from the new.
    const epoch = Math.round(options.clock.nowMs()).toString(36);
    this.#log = new EventLog({ epoch, capacity: this.#options.capacity });
  }

  /** Streams open now. */
  get subscriberCount(): number {
    return this.#subscribers.size;
  }

  publish(type: string, data: unknown): void {
    if (this.#closed) return;
    const event = this.#log.append(type, data);
    this.#onPublish(type);
    this.#broadcast(encodeEvent(event));
  }

  /**
   * Opens a stream. With `lastEventId` it begins with what was missed; where that is no longer
   * known it begins with an event `resync`, which asks the reader to fetch the state anew. Throws
   * E_EVENT_STREAMS_FULL when there are too many streams already.
   */
  subscribe(options: SubscribeOptions = {}): ReadableStream<Uint8Array> {
    const { subscribersMax, backlogBytesMax } = this.#options;
    if (this.#closed || this.#subscribers.size >= subscribersMax) {
      throw new TesseraError("E_EVENT_STREAMS_FULL", { limit: subscribersMax, of: "this server" });
    }
    const { owner } = options;
    if (owner !== undefined && this.#countOf(owner.key) >= owner.streamsMax) {
      throw new TesseraError("E_EVENT_STREAMS_FULL", {
        limit: owner.streamsMax,
        of: "this caller",
      });
    }
    const subscriber = new Subscriber({
      backlogBytesMax,
      cut: options.cut,
      owner: owner?.key,
      isStillGood: options.isStillGood,
      onEnd: () => this.#remove(subscriber),
    });
    this.#subscribers.add(subscriber);
    this.#heartbeat ??= this.#armHeartbeat();
    subscriber.endOn(options.signal);
    this.#send(subscriber, this.#opening(options.lastEventId));
    return subscriber.stream;
  }

  /** Ends every stream in good order; readers see a last event `bye`. */
  close(): void {
    if (this.#closed) return;
    this.publish("bye", { reason: "the server stops" });
    this.#closed = true;
    for (const subscriber of [...this.#subscribers]) subscriber.end();
  }

  #countOf(owner: string): number {
    let count = 0;
    for (const subscriber of this.#subscribers) if (subscriber.owner === owner) count++;
    return count;
  }

  #opening(lastEventId: string | undefined): Uint8Array {
    const retry = encodeRetry(reconnectDelayMs);
    if (lastEventId === undefined) return this.#encoder.encode(retry);
    const missed = this.#log.since(lastEventId);
    if (missed.complete) {
      const bytes = this.#encoder.encode(retry + missed.events.map(encodeEvent).join(""));
      // More than may wait would end the stream at once, and again when the reader comes back.
      if (bytes.length <= this.#options.backlogBytesMax) return bytes;
    }
    const data = { since: lastEventId };
    return this.#encoder.encode(
      retry + encodeEvent({ id: this.#log.lastId, type: "resync", data }),
    );
  }

  /** Encodes once for all: with hundreds of readers that is most of the work. */
  #broadcast(text: string): void {
    if (this.#subscribers.size === 0) return;
    const bytes = this.#encoder.encode(text);
    for (const subscriber of [...this.#subscribers]) this.#send(subscriber, bytes);
  }

  #send(subscriber: Subscriber, bytes: Uint8Array): void {
    if (subscriber.offer(bytes)) return;
    subscriber.drop();
    this.#onDrop();
  }

  #remove(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
    if (this.#subscribers.size > 0) return;
    this.#heartbeat?.cancel();
    this.#heartbeat = undefined;
  }

  /** One after the other until the next sign of life: whoever vouches for hundreds of readers is not asked at once. */
  #askAgain(): void {
    const { clock, heartbeatMs } = this.#options;
    const stepMs = heartbeatMs / Math.max(1, this.#subscribers.size);
    let delayMs = 0;
    for (const subscriber of this.#subscribers) {
      subscriber.askAgainIn(clock, delayMs);
      delayMs += stepMs;
    }
  }

  #armHeartbeat(): Timer {
    return this.#options.clock.setTimer(this.#options.heartbeatMs, () => {
      this.#broadcast(heartbeatText);
      this.#askAgain();
      this.#heartbeat = this.#subscribers.size > 0 ? this.#armHeartbeat() : undefined;
    });
  }
}
