import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type FakeEvent, type FakeObject, keyOf, ObjectTable } from "./object-table.ts";

/** What a request gets instead of its proper answer. */
export type Fault =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  /** The connection is cut before any answer. */
  | "drop"
  /** Nothing is ever answered. */
  | "stall"
  /** A successful answer that is not JSON. */
  | "garbage"
  /** Half of the answer, then the connection is cut. */
  | "cut";

export interface SeenRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

interface Watch {
  readonly collection: string;
  readonly response: ServerResponse;
  readonly socket: Socket;
  stalled: boolean;
}

const itemPath =
  /^(\/(?:api|apis\/[^/]+)\/[^/]+)(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/([^/]+))?$/;

/** A small API server over real HTTP: lists in pages, watches, writes with conflicts, and faults. */
export class FakeApi {
  readonly table = new ObjectTable();
  readonly seen: SeenRequest[] = [];
  /** Cuts what watches send into pieces of this many bytes. */
  pieceBytes = Number.POSITIVE_INFINITY;
  /** Answers a request instead of the server; undefined lets the server answer. */
  intercept: ((request: SeenRequest, response: ServerResponse) => boolean) | undefined;
  readonly #server: Server;
  readonly #faults: { readonly kind: "list" | "watch" | "any"; readonly fault: Fault }[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #watches = new Set<Watch>();
  readonly #snapshots = new Map<string, readonly FakeObject[]>();

  private constructor(server: Server) {
    this.#server = server;
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    server.on("request", (request, response) => void this.#receive(request, response));
  }

  static async start(server: Server = createServer(), port = 0): Promise<FakeApi> {
    const api = new FakeApi(server);
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    return api;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get watchCount(): number {
    return this.#watches.size;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Adds or changes an object; watches hear of it. */
  put(collection: string, object: FakeObject): void {
    this.#broadcast(this.table.put(collection, object));
  }

  remove(collection: string, key: string): void {
    const event = this.table.remove(collection, key);
    if (event !== undefined) this.#broadcast(event);
  }

  /** Forgets the past; watches and page tokens from before are answered with 410. */
  compact(): void {
    this.table.compact();
    this.#snapshots.clear();
  }

  /** The next request of this kind gets this instead. */
  failNext(kind: "list" | "watch" | "any", fault: Fault): void {
    this.#faults.push({ kind, fault });
  }

  clearFaults(): void {
    this.#faults.length = 0;
  }

  bookmark(): void {
    const metadata = { resourceVersion: String(this.table.revision) };
    for (const watch of this.#watches)
      this.#write(watch, { type: "BOOKMARK", object: { metadata } });
  }

  /** Ends every watch in good order. */
  endWatches(): void {
    for (const watch of this.#forget()) watch.response.end();
  }

  dropWatches(): void {
    for (const watch of this.#forget()) watch.socket.destroy();
  }

  /** Watches stay open and never hear anything again. */
  stallWatches(): void {
    for (const watch of this.#watches) watch.stalled = true;
  }

  /** The server's side of the connection is closed in the middle of the stream. */
  halfCloseWatches(): void {
    for (const watch of this.#forget()) watch.socket.end();
  }

  errorEvent(status: Record<string, unknown>): void {
    for (const watch of this.#watches) {
      this.#write(watch, { type: "ERROR", object: { kind: "Status", ...status } });
    }
    this.endWatches();
  }

  /** Sends these bytes as they are. */
  sendRaw(text: string): void {
    for (const watch of this.#watches) watch.response.write(text);
  }

  #forget(): Watch[] {
    const all = [...this.#watches];
    this.#watches.clear();
    return all;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const url = new URL(request.url ?? "/", "http://fake");
    const seen: SeenRequest = {
      method: request.method ?? "GET",
      url,
      headers: request.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    this.seen.push(seen);
    if (this.intercept?.(seen, response) === true) return;
    const fault = this.#takeFault(seen);
    if (fault !== undefined) this.#misbehave(fault, response);
    else this.#answer(seen, response);
  }

  #takeFault(seen: SeenRequest): Fault | undefined {
    const kind = seen.url.searchParams.has("watch") ? "watch" : "list";
    const at = this.#faults.findIndex((each) => each.kind === "any" || each.kind === kind);
    return at === -1 ? undefined : this.#faults.splice(at, 1)[0]?.fault;
  }

  #misbehave(fault: Fault, response: ServerResponse): void {
    if (fault === "stall") return;
    if (fault === "drop") response.socket?.destroy();
    else if (fault === "garbage") response.end("<html>not an API</html>");
    else if (fault === "cut") {
      response.writeHead(200, { "content-length": "1000" });
      response.write('{"kind":"List","items":[');
      response.socket?.end();
    } else {
      const { status, body } = fault;
      const text =
        typeof body === "string" ? body : JSON.stringify(body ?? failure(status, "Fault"));
      response
        .writeHead(status, { "content-type": "application/json", ...fault.headers })
        .end(text);
    }
  }

  #answer(seen: SeenRequest, response: ServerResponse): void {
    if (seen.url.pathname === "/version")
      return send(response, 200, { gitVersion: "v1.34.0-fake" });
    const [, base = "", namespace, plural = "", name] = itemPath.exec(seen.url.pathname) ?? [];
    const collection = `${base}/${plural}`;
    if (seen.url.searchParams.has("watch")) return this.#watch(collection, seen, response);
    if (seen.method === "GET" && name === undefined) return this.#list(collection, seen, response);
    const object = seen.body === "" ? undefined : (JSON.parse(seen.body) as FakeObject);
    const key =
      name === undefined ? undefined : namespace === undefined ? name : `${namespace}/${name}`;
    const known = key === undefined ? undefined : this.table.collection(collection).get(key);
    if (seen.method === "POST" && object !== undefined)
      return this.#create(collection, object, response);
    if (known === undefined) return send(response, 404, failure(404, "NotFound"));
    if (seen.method === "GET") return send(response, 200, known);
    if (seen.method === "DELETE" && key !== undefined) {
      this.remove(collection, key);
      return send(response, 200, { kind: "Status", status: "Success" });
    }
    if (object === undefined) return send(response, 400, failure(400, "BadRequest"));
    const version = object.metadata.resourceVersion;
    if (version !== undefined && version !== known.metadata.resourceVersion) {
      return send(response, 409, failure(409, "Conflict"));
    }
    this.put(collection, object);
    send(response, 200, this.table.collection(collection).get(keyOf(object)));
  }

  #create(collection: string, object: FakeObject, response: ServerResponse): void {
    if (this.table.collection(collection).has(keyOf(object))) {
      return send(response, 409, failure(409, "AlreadyExists"));
    }
    this.put(collection, object);
    send(response, 201, this.table.collection(collection).get(keyOf(object)));
  }

  #list(collection: string, { url }: SeenRequest, response: ServerResponse): void {
    const limit = Number(url.searchParams.get("limit") ?? "0") || Number.POSITIVE_INFINITY;
    const token = url.searchParams.get("continue");
    const { revision, at } =
      token === null
        ? { revision: this.table.revision, at: 0 }
        : (JSON.parse(token) as { revision: number; at: number });
    const name = `${collection}@${revision}`;
    if (token === null) this.#snapshots.set(name, [...this.table.collection(collection).values()]);
    const snapshot = this.#snapshots.get(name);
    if (snapshot === undefined) return send(response, 410, failure(410, "Expired"));
    const items = snapshot.slice(at, at + limit);
    const more = at + limit < snapshot.length;
    if (!more) this.#snapshots.delete(name);
    const next = more ? { continue: JSON.stringify({ revision, at: at + limit }) } : {};
    send(response, 200, {
      kind: "List",
      metadata: { resourceVersion: String(revision), ...next },
      items,
    });
  }

  #watch(collection: string, { url }: SeenRequest, response: ServerResponse): void {
    const from = Number(url.searchParams.get("resourceVersion"));
    if (from < this.table.compactedTo) return send(response, 410, failure(410, "Expired"));
    const { socket } = response;
    if (socket === null) return;
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    const watch: Watch = { collection, response, socket, stalled: false };
    this.#watches.add(watch);
    response.on("close", () => this.#watches.delete(watch));
    for (const event of this.table.since(collection, from)) this.#write(watch, event);
  }

  #broadcast(event: FakeEvent): void {
    for (const watch of this.#watches) {
      if (watch.collection === event.collection) this.#write(watch, event);
    }
  }

  #write(watch: Watch, { type, object }: { type: string; object: unknown }): void {
    if (watch.stalled) return;
    const bytes = Buffer.from(`${JSON.stringify({ type, object })}\n`);
    for (let at = 0; at < bytes.length; at += this.pieceBytes) {
      watch.response.write(bytes.subarray(at, at + this.pieceBytes));
    }
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** The Status object of a failure. */
export function failure(code: number, reason: string, more: Record<string, unknown> = {}) {
  return { kind: "Status", status: "Failure", code, reason, message: `fake ${reason}`, ...more };
}
