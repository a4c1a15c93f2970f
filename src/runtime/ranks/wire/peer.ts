import type { Socket } from "node:net";
import { messageOf } from "../../../platform/errors/index.ts";
import { encodeFrame, FrameReader } from "./frames.ts";

/** A connection to a process that knows the secret; both sides send messages of JSON. */
export interface Peer {
  /** What the other side said about itself. */
  readonly words: unknown;
  /** The address of this side, as the other side sees it without NAT. */
  readonly localHost: string;
  /** Sends a message. One to a connection that is gone is lost without a word: `onClose` tells. */
  send(message: unknown): void;
  /** Closes after what was sent has gone out. */
  end(): void;
  /** Closes at once. */
  destroy(): void;
}

export interface PeerHandlers {
  onMessage(message: unknown): void;
  /** Called once, when the connection is gone; says why if it was not in order. */
  onClose(problem: string | undefined): void;
}

export interface PeerOptions {
  readonly words: unknown;
  /** What came with the handshake. */
  readonly rest: Buffer;
  readonly frameBytesMax: number;
  /** The handlers for this connection, before anything is read. */
  readonly handlersOf: (peer: Peer) => PeerHandlers;
}

/** What may wait to be sent, beyond one message, before the other side counts as gone. */
const unsentBytesMax = 256 * 2 ** 20;

/** Messages over a socket whose handshake is done. */
export function createPeer(socket: Socket, options: PeerOptions): Peer {
  const reader = new FrameReader(options.frameBytesMax);
  let problem: string | undefined;
  const fail = (reason: string) => {
    problem ??= reason;
    socket.destroy();
  };
  const peer: Peer = {
    words: options.words,
    localHost: socket.localAddress ?? "127.0.0.1",
    send: (message) => {
      if (socket.destroyed || socket.writableEnded) return;
      if (socket.writableLength > unsentBytesMax) fail("it does not read what is sent to it");
      else socket.write(encodeFrame(message));
    },
    end: () => socket.end(),
    destroy: () => socket.destroy(),
  };
  const handlers = options.handlersOf(peer);
  const take = (chunk: Buffer) => {
    try {
      reader.push(chunk);
      for (let next = reader.next(); next !== undefined; next = reader.next()) {
        handlers.onMessage(next.message);
      }
    } catch (error) {
      fail(`it sent ${messageOf(error)}`);
    }
  };
  socket.on("error", (error) => fail(messageOf(error)));
  socket.once("close", () => handlers.onClose(problem));
  socket.on("data", take);
  if (options.rest.length > 0) take(options.rest);
  socket.resume();
  return peer;
}
