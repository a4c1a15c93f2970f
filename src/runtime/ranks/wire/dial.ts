import { connect, type OnReadOpts, type Socket } from "node:net";
import { messageOf } from "../../../platform/errors/index.ts";
import type { Clock } from "../../../platform/time/clock.ts";
import type { Address } from "./address.ts";
import { WireError } from "./frames.ts";
import { ClientHandshake } from "./handshake.ts";

export interface DialOptions {
  readonly address: Address;
  readonly secret: string;
  /** What this side says about itself. */
  readonly words: unknown;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** A socket whose handshake is done. */
export interface Dialled {
  readonly socket: Socket;
  /** What the other side said about itself. */
  readonly words: unknown;
  /** What it sent after the handshake. */
  readonly rest: Buffer;
}

/**
 * Connects to a listener and proves that this side knows the secret.
 *
 * @throws RefusedError when the listener says no; WireError for everything else that went wrong; the
 * signal's reason when that aborts.
 */
export function dial(options: DialOptions): Promise<Dialled> {
  const { host, port } = options.address;
  const socket = connect({ host, port, noDelay: true, keepAlive: true });
  const handshake = shakeHands(socket, options);
  const onData = (chunk: Buffer) => handshake.push(chunk);
  socket.on("data", onData);
  return handshake.done.then((dialled) => {
    // Nothing is lost until someone reads on.
    socket.pause().off("data", onData);
    return dialled;
  });
}

/**
 * The same for a socket that reads into memory of the caller's choosing: `onread` of node:net. Until
 * the handshake is done, what is read belongs to the handshake.
 */
export function dialReading(
  options: DialOptions & {
    readonly buffer: () => Uint8Array;
    /** Gets what was read once the handshake is done; false pauses the socket. */
    readonly onRead: (sizeBytes: number, buffer: Uint8Array) => boolean;
  },
): Promise<Dialled> {
  const { host, port } = options.address;
  let isDone = false;
  const onread: OnReadOpts = {
    buffer: () => options.buffer(),
    callback: (sizeBytes, buffer) => {
      if (isDone) return options.onRead(sizeBytes, buffer);
      // A copy, because the buffer is used again.
      handshake.push(Buffer.from(buffer.subarray(0, sizeBytes)));
      return true;
    },
  };
  const socket = connect({ host, port, noDelay: true, keepAlive: true, onread });
  const handshake = shakeHands(socket, options);
  return handshake.done.then((dialled) => {
    isDone = true;
    return dialled;
  });
}

function shakeHands(
  socket: Socket,
  options: DialOptions,
): { push(chunk: Buffer): void; readonly done: Promise<Dialled> } {
  const { clock, signal, timeoutMs } = options;
  const handshake = new ClientHandshake(options);
  let push: (chunk: Buffer) => void = () => {};
  const done = new Promise<Dialled>((resolve, reject) => {
    const fail = (error: unknown) => {
      release();
      socket.destroy();
      reject(error);
    };
    const onError = (error: Error) => fail(new WireError(messageOf(error), { cause: error }));
    const onClose = () => fail(new WireError("the connection was closed during the handshake"));
    const onAbort = () => fail(signal?.reason);
    const timer = clock.setTimer(timeoutMs, () => fail(new WireError("no answer in time")));
    const release = () => {
      timer.cancel();
      signal?.removeEventListener("abort", onAbort);
      socket.off("error", onError).off("close", onClose);
    };
    push = (chunk) => {
      try {
        const step = handshake.push(chunk);
        if (step.send !== undefined) socket.write(step.send);
        if (step.done === undefined) return;
        release();
        resolve({ socket, ...step.done });
      } catch (error) {
        fail(error);
      }
    };
    // An error that nobody listens for would end the process; the end of the connection tells enough.
    socket.on("error", () => {});
    socket.on("error", onError).on("close", onClose);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted) onAbort();
  });
  return { push: (chunk) => push(chunk), done };
}
