import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on an address of this machine that answers everything with one text. */
export async function listenOn(
  address: string,
  text: string,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((_, response) => response.end(text));
  server.listen(0, address);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${address}:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
