import { createServer as createHttp } from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import type { Certificate } from "./certificates.ts";

export interface TestProxy {
  readonly port: number;
  /** What clients asked to be connected with. */
  readonly targets: string[];
  /** What clients logged in with. */
  readonly logins: string[];
  stop(): Promise<void>;
}

/** A CONNECT proxy that sends every connection to `backendPort`, or refuses with a status. */
export async function connectProxy(options: {
  readonly backendPort: number;
  readonly tls?: Certificate;
  readonly refuseWith?: number;
}): Promise<TestProxy> {
  const server = options.tls === undefined ? createHttp() : createHttps(options.tls);
  const targets: string[] = [];
  const logins: string[] = [];
  server.on("connect", (request, socket: Socket) => {
    targets.push(request.url ?? "");
    logins.push(request.headers["proxy-authorization"] ?? "");
    socket.on("error", () => undefined);
    if (options.refuseWith !== undefined) {
      socket.end(`HTTP/1.1 ${options.refuseWith} No\r\n\r\n`);
      return;
    }
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    join(socket, options.backendPort);
  });
  return running(server, targets, logins);
}

/** A SOCKS5 proxy that sends every connection to `backendPort`, with a login if one is given. */
export async function socksProxy(options: {
  readonly backendPort: number;
  readonly login?: string;
  readonly reply?: number;
}): Promise<TestProxy> {
  const targets: string[] = [];
  const logins: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    void converse(socket, options, targets, logins);
  });
  return running(server, targets, logins);
}

async function converse(
  socket: Socket,
  options: { readonly backendPort: number; readonly login?: string; readonly reply?: number },
  targets: string[],
  logins: string[],
): Promise<void> {
  const next = () => new Promise<Buffer>((resolve) => socket.once("data", resolve));
  await next();
  socket.write(Buffer.from([5, options.login === undefined ? 0 : 2]));
  if (options.login !== undefined) {
    const message = await next();
    const nameLength = message[1] ?? 0;
    const name = message.subarray(2, 2 + nameLength).toString();
    const given = `${name}:${message.subarray(3 + nameLength).toString()}`;
    logins.push(given);
    socket.write(Buffer.from([1, given === options.login ? 0 : 1]));
    if (given !== options.login) return;
  }
  const request = await next();
  const length = request[4] ?? 0;
  targets.push(`${request.subarray(5, 5 + length).toString()}:${request.readUInt16BE(5 + length)}`);
  const answer = [5, options.reply ?? 0, 0, 1, 127, 0, 0, 1, 0, 0];
  // In two pieces, as networks do.
  socket.write(Buffer.from(answer.slice(0, 3)));
  socket.write(Buffer.from(answer.slice(3)));
  if ((options.reply ?? 0) === 0) join(socket, options.backendPort);
}

function join(socket: Socket, backendPort: number): void {
  const backend = connect(backendPort, "127.0.0.1");
  backend.on("error", () => socket.destroy());
  socket.on("close", () => backend.destroy());
  backend.on("close", () => socket.destroy());
  socket.pipe(backend).pipe(socket);
}

async function running(server: Server, targets: string[], logins: string[]): Promise<TestProxy> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    targets,
    logins,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
