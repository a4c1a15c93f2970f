import assert from "node:assert/strict";
import type { Socket } from "node:net";

/** Where bytes go as they come. Its methods must not throw. */
export interface Sink {
  /** The place for the next bytes; undefined when all are here. */
  target(): Uint8Array | undefined;
  /** So many bytes were put at the start of the target. */
  filled(sizeBytes: number): void;
}

/** Below this, bytes are read with others and copied; above, straight into their place. */
const directBytesMin = 16_384;
const scratchBytes = 65_536;

/**
 * The receiving end of a one-way connection. Bytes are read from the socket straight to where they
 * belong. While nobody waits for them the socket is not read, so that the sender stops.
 */
export class ReceiveLane {
  readonly #scratch = Buffer.allocUnsafeSlow(scratchBytes);
  #socket: Socket | undefined;
  #sink: Sink | undefined;
  #resolve: () => void = () => {};
  #reject: (error: Error) => void = () => {};
  /** Came before anyone waited for it; never more than one scratch buffer. */
  #early: Buffer = Buffer.alloc(0);
  #lost: Error | undefined;

  /** For `onread` of node:net. */
  readonly buffer = (): Uint8Array => {
    const target = this.#sink?.target();
    return target !== undefined && target.length >= directBytesMin ? target : this.#scratch;
  };

  /** For `onread` of node:net. @returns whether to read on. */
  readonly onRead = (sizeBytes: number, buffer: Uint8Array): boolean => {
    if (buffer !== this.#scratch && this.#sink !== undefined) {
      this.#sink.filled(sizeBytes);
    } else {
      const rest = this.#copy(this.#scratch.subarray(0, sizeBytes));
      if (rest.length > 0) this.#early = Buffer.concat([this.#early, rest]);
    }
    this.#finishWhenFull();
    return this.#sink !== undefined;
  };

  /** The socket, once its handshake is done, and what came with it. */
  attach(socket: Socket, rest: Buffer): void {
    this.#socket = socket;
    this.#early = rest;
    socket.pause();
    socket.once("close", () => this.#lose(new Error("its connection was closed")));
    socket.on("error", (error) => this.#lose(error));
  }

  /** Reads until the sink is full. One at a time. @throws when the connection is lost before */
  receive(sink: Sink): Promise<void> {
    assert(this.#sink === undefined, "a lane receives one thing at a time");
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#sink = sink;
      this.#early = this.#copy(this.#early);
      this.#finishWhenFull();
      if (this.#sink === undefined) return;
      if (this.#lost !== undefined) this.#fail(this.#lost);
      else this.#socket?.resume();
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  /** Puts bytes into the sink; returns those that are beyond it. */
  #copy(bytes: Buffer): Buffer {
    let at = 0;
    while (at < bytes.length) {
      const target = this.#sink?.target();
      if (target === undefined) break;
      const sizeBytes = Math.min(target.length, bytes.length - at);
      target.set(bytes.subarray(at, at + sizeBytes));
      this.#sink?.filled(sizeBytes);
      at += sizeBytes;
    }
    return bytes.subarray(at);
  }

  #finishWhenFull(): void {
    if (this.#sink === undefined || this.#sink.target() !== undefined) return;
    this.#sink = undefined;
    this.#resolve();
  }

  #lose(error: Error): void {
    this.#lost ??= error;
    this.#fail(error);
  }

  #fail(error: Error): void {
    if (this.#sink === undefined) return;
    this.#sink = undefined;
    this.#reject(error);
  }
}
