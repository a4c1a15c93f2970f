import type { Socket } from "node:net";

/** The far end of a tunnel. */
export interface TunnelTarget {
  readonly host: string;
  readonly port: number;
}

// RFC 1928 and, for the password, RFC 1929.
const version = 5;
const methodNone = 0;
const methodPassword = 2;
const commandConnect = 1;
const addressLengths: Readonly<Record<number, number>> = { 1: 4, 4: 16 };
const refusals = [
  "",
  "general failure",
  "not allowed by its rules",
  "network unreachable",
  "host unreachable",
  "connection refused",
  "time to live expired",
  "command not supported",
  "address type not supported",
];

/**
 * Asks the SOCKS5 proxy at the other end of `socket` for a connection to `target`. The proxy looks
 * the name up, so that names only it can resolve work.
 */
export async function socks5Connect(
  socket: Socket,
  target: TunnelTarget,
  login?: { readonly username: string; readonly password: string },
): Promise<void> {
  const reader = new ByteReader(socket);
  try {
    socket.write(Buffer.from([version, 1, login === undefined ? methodNone : methodPassword]));
    const [, method] = await reader.take(2);
    if (method === methodPassword && login !== undefined) await logIn(socket, reader, login);
    else if (method !== methodNone) throw new Error("the SOCKS proxy wants another way to log in");
    const name = Buffer.from(target.host);
    if (name.length > 255) throw new Error("the host name is too long for SOCKS");
    const head = Buffer.from([version, commandConnect, 0, 3, name.length]);
    socket.write(Buffer.concat([head, name, Buffer.from([target.port >> 8, target.port & 0xff])]));
    const [, reply = 1, , type = 0] = await reader.take(4);
    if (reply !== 0)
      throw new Error(`the SOCKS proxy refused: ${refusals[reply] ?? `code ${reply}`}`);
    // The bound address is of no interest, but it must be read off the stream.
    const length = addressLengths[type] ?? (await reader.take(1))[0] ?? 0;
    await reader.take(length + 2);
  } finally {
    reader.release();
  }
}

async function logIn(
  socket: Socket,
  reader: ByteReader,
  login: { readonly username: string; readonly password: string },
): Promise<void> {
  const username = Buffer.from(login.username);
  const password = Buffer.from(login.password);
  if (username.length > 255 || password.length > 255)
    throw new Error("the SOCKS login is too long");
  socket.write(
    Buffer.concat([
      Buffer.from([1, username.length]),
      username,
      Buffer.from([password.length]),
      password,
    ]),
  );
  const [, status] = await reader.take(2);
  if (status !== 0) throw new Error("the SOCKS proxy refused the login");
}

/** Takes exact numbers of bytes off a socket and leaves what follows on it. */
class ByteReader {
  readonly #socket: Socket;
  #failed: Error | undefined;
  #wake: (() => void) | undefined;
  readonly #onReadable = () => this.#wake?.();
  readonly #onEnd = () => this.#fail(new Error("the SOCKS proxy closed the connection"));
  readonly #onError = (error: Error) => this.#fail(error);

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("readable", this.#onReadable);
    socket.on("close", this.#onEnd);
    socket.on("end", this.#onEnd);
    socket.on("error", this.#onError);
  }

  async take(count: number): Promise<Buffer> {
    for (;;) {
      const bytes = this.#socket.read(count) as Buffer | null;
      if (bytes !== null && bytes.length === count) return bytes;
      if (this.#failed !== undefined) throw this.#failed;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  release(): void {
    this.#socket.off("readable", this.#onReadable);
    this.#socket.off("close", this.#onEnd);
    this.#socket.off("end", this.#onEnd);
    this.#socket.off("error", this.#onError);
  }

  #fail(error: Error): void {
    this.#failed ??= error;
    this.#wake?.();
  }
}
