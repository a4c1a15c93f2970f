import type { IncomingMessage } from "node:http";
import type { Clock } from "../../time/clock.ts";
import type { KubeClient } from "../client.ts";
import type { Selection } from "../client-options.ts";
import { kubeFailureOf } from "../http/failure.ts";
import type { ResourceType } from "../resource-type.ts";
import { ByteLines } from "./json-lines.ts";
import { parseWatchEvent, type WatchEvent } from "./watch-event.ts";

/** How a watch ended. */
export type WatchEnd =
  /** The server ended it in good order, as it does every few minutes. */
  | { readonly kind: "ended" }
  /** The server no longer knows the resource version (410): only a new list helps. */
  | { readonly kind: "expired" }
  | { readonly kind: "failed"; readonly error: Error; readonly retryAfterMs?: number };

export interface WatchSessionOptions {
  readonly client: KubeClient;
  readonly type: ResourceType;
  readonly selection: Selection;
  readonly resourceVersion: string;
  /** After how long the server shall end the watch. */
  readonly timeoutSeconds: number;
  /** Without an event or a bookmark for this long, the connection is taken for dead. */
  readonly idleTimeoutMs: number;
  readonly lineBytesMax: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The server accepted the watch. */
  readonly onOpen: () => void;
  readonly onEvent: (event: Exclude<WatchEvent, { type: "ERROR" }>) => void;
}

/** One watch from its request to its end. Throws only the signal's reason, and what callbacks throw. */
export async function runWatch(options: WatchSessionOptions): Promise<WatchEnd> {
  const { client, type, selection, resourceVersion, timeoutSeconds, signal } = options;
  let response: IncomingMessage;
  try {
    const query = { ...selection, resourceVersion, timeoutSeconds, signal };
    // The head comes at once; a server that does not send it is as dead as a silent stream.
    response = await client.openWatch(type, {
      ...query,
      timeoutMs: Math.min(options.idleTimeoutMs, 30_000),
    });
  } catch (error) {
    signal.throwIfAborted();
    return endOf(error);
  }
  options.onOpen();
  try {
    return await readEvents(response, options);
  } finally {
    response.destroy();
  }
}

async function readEvents(
  response: IncomingMessage,
  options: WatchSessionOptions,
): Promise<WatchEnd> {
  const { signal } = options;
  const lines = new ByteLines(options);
  const idle = new IdleGuard(options, () => response.destroy(silentError(options.idleTimeoutMs)));
  const pieces = (response as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const piece = await nextPiece(pieces);
      signal.throwIfAborted();
      if (piece instanceof Error) return endOf(piece);
      if (piece === undefined) return orderlyEnd(lines);
      for (const line of linesOf(lines, piece)) {
        if (line instanceof Error) return endOf(line);
        const event = parseWatchEvent(line);
        if (event === undefined)
          return endOf(new Error("the watch sent something that is no event"));
        if (event.type === "ERROR") return endOfStatus(event.status);
        idle.alive();
        options.onEvent(event);
      }
    }
  } finally {
    idle.stop();
  }
}

/** The next bytes; undefined at the end; the error of a broken connection as a value. */
async function nextPiece(pieces: AsyncIterator<Buffer>): Promise<Buffer | undefined | Error> {
  try {
    const { done, value } = await pieces.next();
    return done === true ? undefined : value;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function* linesOf(lines: ByteLines, piece: Buffer): Generator<string | Error> {
  try {
    yield* lines.push(piece);
  } catch (error) {
    yield error as Error;
  }
}

function orderlyEnd(lines: ByteLines): WatchEnd {
  return lines.partial
    ? endOf(new Error("the watch ended in the middle of an event"))
    : { kind: "ended" };
}

function endOf(error: unknown): WatchEnd {
  const failure = kubeFailureOf(error);
  if (failure?.status === 410) return { kind: "expired" };
  const failed = error instanceof Error ? error : new Error(String(error));
  const { retryAfterMs } = failure ?? {};
  return { kind: "failed", error: failed, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

function endOfStatus(status: {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
}): WatchEnd {
  if (status.code === 410 || status.reason === "Expired" || status.reason === "Gone") {
    return { kind: "expired" };
  }
  const problem = status.message ?? status.reason ?? `status ${status.code ?? "unknown"}`;
  return { kind: "failed", error: new Error(`the watch ended with an error: ${problem}`) };
}

function silentError(idleTimeoutMs: number): Error {
  return new Error(`the watch was silent for ${idleTimeoutMs} ms`);
}

/** Calls back when nothing was heard for too long. One timer, re-armed only when it fires. */
class IdleGuard {
  readonly #clock: Clock;
  readonly #idleTimeoutMs: number;
  readonly #onIdle: () => void;
  #heardAtMs: number;
  #timer: { cancel(): void };

  constructor(
    options: { readonly clock: Clock; readonly idleTimeoutMs: number },
    onIdle: () => void,
  ) {
    this.#clock = options.clock;
    this.#idleTimeoutMs = options.idleTimeoutMs;
    this.#onIdle = onIdle;
    this.#heardAtMs = this.#clock.monotonicMs();
    this.#timer = this.#arm(this.#idleTimeoutMs);
  }

  alive(): void {
    this.#heardAtMs = this.#clock.monotonicMs();
  }

  stop(): void {
    this.#timer.cancel();
  }

  #arm(delayMs: number): { cancel(): void } {
    return this.#clock.setTimer(delayMs, () => {
      const leftMs = this.#heardAtMs + this.#idleTimeoutMs - this.#clock.monotonicMs();
      if (leftMs <= 0) this.#onIdle();
      else this.#timer = this.#arm(leftMs);
    });
  }
}
