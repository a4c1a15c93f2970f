import { createServer, type Server, type Socket } from "node:net";
import type { Clock } from "../../../platform/time/clock.ts";
import type { Address } from "./address.ts";
import { type Admission, ServerHandshake } from "./handshake.ts";

/** Accepts connections of processes that know a secret. */
export interface WireListener {
  readonly address: Address;
  /** Takes no more connections and ends those whose handshake is not done. */
  close(): Promise<void>;
}

export interface ListenOptions {
  /** @default "127.0.0.1" */
  readonly host?: string;
  /** @default any that is free */
  readonly port?: number;
  readonly secret: string;
  readonly clock: Clock;
  /** Decides about a peer by what it says about itself. */
  readonly admit: (words: unknown) => Admission;
  /** Gets a socket whose handshake is done, and what came with it. */
  readonly onSocket: (socket: Socket, hello: { words: unknown; rest: Buffer }) => void;
  /** Connections whose handshake is not done, at any time. @default 256 */
  readonly strangersMax?: number;
  /** How long a handshake may take. @default 10_000 */
  readonly handshakeMs?: number;
}

/**
 * Listens for peers. Strangers (a wrong secret, another protocol, silence) are turned away, and never
 * stop the listener.
 *
 * @throws the system's error when it cannot listen there.
 */
export async function listenForPeers(options: ListenOptions): Promise<WireListener> {
  const { host = "127.0.0.1", port = 0, strangersMax = 256 } = options;
  const strangers = new Set<Socket>();
  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => {
    if (strangers.size >= strangersMax) {
      socket.destroy();
      return;
    }
    strangers.add(socket);
    welcome(socket, { ...options, done: () => strangers.delete(socket) });
  });
  await listening(server, host, port);
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("a TCP server has a port");
  return {
    address: { host, port: bound.port },
    close: async () => {
      for (const socket of strangers) socket.destroy();
      server.close();
    },
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      // Running out of file descriptors refuses one connection; it must not end the process.
      server.on("error", () => {});
      resolve();
    });
  });
}

function welcome(socket: Socket, options: ListenOptions & { readonly done: () => void }): void {
  const { clock, secret, admit, onSocket, handshakeMs = 10_000 } = options;
  const handshake = new ServerHandshake(secret);
  const timer = clock.setTimer(handshakeMs, () => socket.destroy());
  const onError = () => socket.destroy();
  const release = () => {
    timer.cancel();
    options.done();
  };
  const onData = (chunk: Buffer) => {
    let step: ReturnType<ServerHandshake["push"]>;
    try {
      step = handshake.push(chunk, admit);
    } catch {
      socket.destroy();
      return;
    }
    if (step.send !== undefined) socket.write(step.send);
    if (step.refused !== undefined) socket.end();
    if (step.done === undefined) return;
    release();
    socket.off("data", onData).off("error", onError).off("close", release);
    onSocket(socket, step.done);
  };
  socket.on("data", onData).on("error", onError).once("close", release);
  socket.write(handshake.greeting);
}
