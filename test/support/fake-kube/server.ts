import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { selects } from "./selectors.ts";
import { Store, type StoredEvent, type StoredObject } from "./store.ts";
import { failed, type KubeRequest, type Outcome, write } from "./writes.ts";

/**
 * What happens to a request instead: an answer; `drop` cuts the connection before the server acts;
 * `lose` lets it act and cuts the connection before the answer.
 */
export type Interference =
  | { readonly status: number; readonly body?: unknown }
  | "drop"
  | "lose"
  | undefined;

const itemPath =
  /^(\/(?:api|apis\/[^/]+)\/[^/]+)(?:\/namespaces\/([^/]+)(?=\/))?\/([^/]+)(?:\/([^/]+)(?:\/([^/]+))?)?$/;

/**
 * An API server in memory over real HTTP, on the loopback: get, list in pages with selectors, watch,
 * create, update, the patches (merge, JSON, strategic, apply), status subresources, conflicts,
 * finalizers, preconditions, dry runs. It checks no schema and no rights, and runs no controllers.
 */
export class FakeKube {
  readonly store = new Store();
  /** Every request, in order. */
  readonly requests: KubeRequest[] = [];
  /** Looks at each request first; undefined lets the server answer. */
  interfere: (request: KubeRequest) => Interference = () => undefined;
  readonly #server: Server;
  readonly #nowMs: () => number;
  readonly #sockets = new Set<Socket>();
  readonly #answers = new Map<string, (request: KubeRequest) => unknown>();

  private constructor(server: Server, nowMs: () => number) {
    this.#server = server;
    this.#nowMs = nowMs;
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    server.on("request", (request, response) => void this.#receive(request, response));
  }

  static async start(options: { readonly nowMs?: () => number } = {}): Promise<FakeKube> {
    const server = createServer();
    const kube = new FakeKube(server, options.nowMs ?? Date.now);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return kube;
  }

  /** `http://127.0.0.1:port` */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Puts an object there as it is, status and all; watches hear of it. */
  put(collection: string, object: StoredObject): StoredObject {
    return this.store.put(collection, object, this.#nowMs());
  }

  /** The object now, as a copy; `key` is `namespace/name` or `name`. */
  get(collection: string, key: string): StoredObject | undefined {
    return structuredClone(this.store.get(collection, key));
  }

  /** Changes an object as somebody else would: the function gets a copy to change. */
  edit(collection: string, key: string, change: (object: StoredObject) => void): StoredObject {
    const object = this.get(collection, key);
    if (object === undefined) throw new Error(`there is no ${collection} ${key}`);
    change(object);
    return this.put(collection, object);
  }

  /** Deletes without asking finalizers. */
  remove(collection: string, key: string): void {
    this.store.remove(collection, key);
  }

  /** Answers the POSTs to a collection that keeps nothing: token and access reviews. */
  answerPost(collection: string, answer: (request: KubeRequest) => unknown): void {
    this.#answers.set(collection, answer);
  }

  /** Ends every connection, watches too. */
  dropConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    const request = parse(incoming, Buffer.concat(chunks).toString("utf8"));
    this.requests.push(request);
    const interference = this.interfere(request);
    if (interference === "drop") return void response.socket?.destroy();
    if (typeof interference === "object") {
      const { status, body = failed(status, "Interfered").body } = interference;
      return send(response, { status, body });
    }
    if (request.query.has("watch")) return this.#watch(request, response);
    const outcome = this.#outcome(request);
    if (interference === "lose") response.socket?.destroy();
    else send(response, outcome);
  }

  #outcome(request: KubeRequest): Outcome {
    const { method, path, name, query, namespace, collection } = request;
    if (path === "/version") return { status: 200, body: { gitVersion: "v1.34.0-fake" } };
    const answer = method === "POST" ? this.#answers.get(collection) : undefined;
    if (answer !== undefined) return { status: 201, body: answer(request) };
    if (method !== "GET") return write(this.store, request, this.#nowMs());
    if (name === undefined) return this.#list(collection, namespace, query);
    const found = this.store.get(collection, request.key);
    return found === undefined ? failed(404, "NotFound") : { status: 200, body: found };
  }

  #list(collection: string, namespace: string | undefined, query: URLSearchParams): Outcome {
    const limit = Number(query.get("limit") ?? "0") || Number.POSITIVE_INFINITY;
    const from = Number(query.get("continue") ?? "0");
    const all = [...this.store.collection(collection).values()].filter((object) =>
      selects(object, namespace, query),
    );
    const more = from + limit < all.length ? { continue: String(from + limit) } : {};
    const metadata = { resourceVersion: String(this.store.revision), ...more };
    return {
      status: 200,
      body: { kind: "List", metadata, items: all.slice(from, from + limit) },
    };
  }

  #watch({ collection, namespace, query }: KubeRequest, response: ServerResponse): void {
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    const tell = (event: StoredEvent) => {
      const line = watchLine(event, (object) => selects(object, namespace, query));
      if (event.collection === collection && line !== undefined) response.write(line);
    };
    for (const event of this.store.since(collection, Number(query.get("resourceVersion"))))
      tell(event);
    response.on("close", this.store.subscribe(tell));
  }
}

/** An object that a change brings into or out of the selection appears or disappears. */
function watchLine(
  { type, object, previous }: StoredEvent,
  selected: (object: StoredObject) => boolean,
): string | undefined {
  const was = previous !== undefined && selected(previous);
  const is = type !== "DELETED" && selected(object);
  if (!was && !is) return undefined;
  const seen = was && is ? "MODIFIED" : is ? "ADDED" : "DELETED";
  return `${JSON.stringify({ type: seen, object })}\n`;
}

function parse(incoming: IncomingMessage, text: string): KubeRequest {
  const url = new URL(incoming.url ?? "/", "http://fake");
  const [, base = "", namespace, plural = "", name, subresource] = (
    itemPath.exec(url.pathname) ?? []
  ).map((part) => (part === undefined ? part : decodeURIComponent(part)));
  return {
    method: incoming.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    collection: `${base}/${plural}`,
    namespace,
    name,
    key: namespace === undefined ? (name ?? "") : `${namespace}/${name}`,
    subresource,
    contentType: incoming.headers["content-type"] ?? "",
    authorization: incoming.headers.authorization,
    body: text === "" ? undefined : (JSON.parse(text) as StoredObject),
  };
}

function send(response: ServerResponse, { status, body }: Outcome): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
