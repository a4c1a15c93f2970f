import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

interface Link {
  readonly client: Socket;
  readonly server: Socket;
}

/** A TCP proxy before a real API server that breaks connections in the ways networks do. */
export class FaultProxy {
  readonly port: number;
  readonly #links = new Set<Link>();
  #stalled = false;
  #refusing = false;

  private constructor(port: number) {
    this.port = port;
  }

  /** Listens on a free port of this machine until the test ends. */
  static async start(target: URL): Promise<FaultProxy> {
    const server = createServer({ allowHalfOpen: true });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const proxy = new FaultProxy((server.address() as AddressInfo).port);
    server.on("connection", (client) => proxy.#join(client, target));
    onTestFinished(async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      proxy.drop();
      await closed;
    });
    return proxy;
  }

  /** Cuts every connection now. */
  drop(): void {
    for (const { client, server } of this.#links) {
      client.resetAndDestroy();
      server.destroy();
    }
  }

  /** Ends the server's half of every connection, as if the server had hung up. */
  halfCloseTowardsClient(): void {
    for (const { client, server } of this.#links) {
      server.unpipe(client);
      client.end();
    }
  }

  /** Ends the client's half: the server sees the client hang up, the client hears nothing more. */
  halfCloseTowardsServer(): void {
    for (const { client, server } of this.#links) {
      client.unpipe(server);
      server.end();
    }
  }

  /** Connections stay open and nothing passes any more, old or new; `heal` lets new ones through. */
  stall(): void {
    this.#stalled = true;
    for (const { client, server } of this.#links) {
      client.unpipe(server);
      server.unpipe(client);
      client.pause();
      server.pause();
    }
  }

  /** New connections are cut at once, old ones too. */
  refuse(): void {
    this.#refusing = true;
    this.drop();
  }

  heal(): void {
    this.#stalled = false;
    this.#refusing = false;
  }

  #join(client: Socket, target: URL): void {
    if (this.#refusing) {
      client.resetAndDestroy();
      return;
    }
    const server = connect({
      host: target.hostname,
      port: Number(target.port),
      allowHalfOpen: true,
    });
    const link = { client, server };
    this.#links.add(link);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => {
        this.#links.delete(link);
        other.destroy();
      });
      if (!this.#stalled) one.pipe(other);
    }
  }
}
