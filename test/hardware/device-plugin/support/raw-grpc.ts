import {
  type ClientHttp2Session,
  connect,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
} from "node:http2";
import { createConnection } from "node:net";
import { onTestFinished } from "vitest";

/** A gRPC answer as the wire had it. */
export interface RawAnswer {
  readonly status: string;
  readonly problem: string;
  readonly messages: readonly Buffer[];
}

export function frame(message: Uint8Array): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(message.length, 1);
  return Buffer.concat([header, message]);
}

export function unframe(bytes: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 5 + bytes.readUInt32BE(at + 1);
    if (end > bytes.length) break;
    messages.push(bytes.subarray(at + 5, end));
    at = end;
  }
  return messages;
}

/** A connection to a plugin's socket, as the kubelet makes one. */
export function dial(socketPath: string): ClientHttp2Session {
  const session = connect("http://localhost", {
    createConnection: () => createConnection(socketPath),
  });
  session.on("error", () => undefined);
  onTestFinished(() => session.destroy());
  return session;
}

/** One call with these bytes as its body. */
export function callRaw(
  session: ClientHttp2Session,
  path: string,
  body: Uint8Array,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let status = "";
    let problem = "";
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
      ...headers,
    });
    const read = (found: IncomingHttpHeaders & { readonly ":status"?: number }) => {
      status = textOf(found["grpc-status"]) ?? status;
      problem = decodeURIComponent(textOf(found["grpc-message"]) ?? problem);
      const http = found[":status"] ?? 200;
      if (http !== 200) status = `http ${http}`;
    };
    stream.on("response", read);
    stream.on("trailers", read);
    stream.on("data", (bytes: Buffer) => chunks.push(bytes));
    stream.on("error", reject);
    stream.on("end", () => resolve({ status, problem, messages: unframe(Buffer.concat(chunks)) }));
    stream.end(body);
  });
}

/** Collects the messages of a stream while it is open. */
export function followRaw(session: ClientHttp2Session, path: string): { messages: Buffer[] } {
  const seen: { messages: Buffer[] } = { messages: [] };
  let bytes = Buffer.alloc(0);
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
  });
  stream.on("error", () => undefined);
  stream.on("data", (more: Buffer) => {
    bytes = Buffer.concat([bytes, more]);
    seen.messages = unframe(bytes);
  });
  stream.end(frame(new Uint8Array()));
  return seen;
}

/** A kubelet as far as plugins see it: it takes registrations, or refuses them. */
export class FakeKubelet {
  readonly registrations: Buffer[] = [];
  refuses = false;
  readonly #server: Http2Server;

  private constructor(server: Http2Server) {
    this.#server = server;
  }

  static async start(socketPath: string): Promise<FakeKubelet> {
    const server = createServer();
    const kubelet = new FakeKubelet(server);
    server.on("stream", (stream, headers) => {
      const chunks: Buffer[] = [];
      stream.on("error", () => undefined);
      stream.on("data", (bytes: Buffer) => chunks.push(bytes));
      stream.on("end", () => {
        const known = headers[":path"] === "/v1beta1.Registration/Register";
        const good = known && !kubelet.refuses;
        if (good) kubelet.registrations.push(...unframe(Buffer.concat(chunks)));
        stream.respond(
          { ":status": 200, "content-type": "application/grpc" },
          { waitForTrailers: true },
        );
        stream.on("wantTrailers", () =>
          stream.sendTrailers({ "grpc-status": good ? "0" : "2", "grpc-message": "not now" }),
        );
        stream.end(good ? frame(new Uint8Array()) : undefined);
      });
    });
    await new Promise<void>((resolve) => server.listen(socketPath, resolve));
    onTestFinished(() => kubelet.stop());
    return kubelet;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === "string" ? header : header?.[0];
}
