import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { type PostgresServer, startPostgres } from "../../../../support/postgres.ts";

/** A real PostgreSQL that pods reach. */
export interface PostgresForPods {
  /** The database, from this machine. */
  readonly ownUrl: string;
  /** The same database, from a pod. */
  readonly podUrl: string;
  stop(): Promise<void>;
}

/** Starts a server on a socket, and hands on what comes to a port of this address. */
export async function postgresForPods(address: string): Promise<PostgresForPods> {
  const server: PostgresServer = await startPostgres({ fsync: false });
  const ownUrl = await server.createDatabase();
  const { pathname, searchParams } = new URL(ownUrl.replace("tessera@/", "tessera@localhost/"));
  const socketPath = join(searchParams.get("host") ?? "", ".s.PGSQL.5432");
  const open = new Set<Socket>();
  const forwarder = createServer((outer) => {
    const inner = connect(socketPath);
    for (const socket of [outer, inner]) {
      open.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => open.delete(socket));
    }
    outer.pipe(inner).pipe(outer);
  });
  forwarder.listen(0, address);
  await once(forwarder, "listening");
  const { port } = forwarder.address() as AddressInfo;
  return {
    ownUrl,
    podUrl: `postgres://tessera@${address}:${port}${pathname}`,
    stop: async () => {
      forwarder.close();
      for (const socket of open) socket.destroy();
      await server.stop();
    },
  };
}
