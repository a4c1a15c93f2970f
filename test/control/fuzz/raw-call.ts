import { Agent, type IncomingMessage, request } from "node:http";
import { gunzipSync } from "node:zlib";

export interface Got {
  readonly method: string;
  readonly status: number;
  /** Without parameters. */
  readonly contentType: string;
  readonly text: string;
  readonly json: unknown;
  /** An event stream; it was left as soon as it began. */
  readonly isStream: boolean;
}

export interface RawCall {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

/** Longer than anything here takes on a busy machine. */
const silenceMsMax = 45_000;

/** Makes calls as they are given, over connections that are kept. */
export class RawCaller implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  call({ method, path, headers = {}, body }: RawCall): Promise<Got> {
    return new Promise((resolve, reject) => {
      const sent = request(
        { host: "127.0.0.1", port: this.#port, method, path, headers, agent: this.#agent },
        (response) => {
          const contentType = (response.headers["content-type"] ?? "").split(";")[0]?.trim() ?? "";
          const status = response.statusCode ?? 0;
          const isStream = contentType === "text/event-stream";
          const chunks: Buffer[] = [];
          const done = () => {
            try {
              const text = unpacked(response, Buffer.concat(chunks)).toString();
              const isJson = contentType.endsWith("json") && text !== "";
              const json: unknown = isJson ? JSON.parse(text) : undefined;
              resolve({ method, status, contentType, text, json, isStream });
            } catch (error) {
              reject(error);
            }
          };
          response.on("error", () => undefined);
          if (isStream) {
            done();
            response.destroy();
            return;
          }
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("end", done);
          response.on("close", () => reject(new Error(`${method} ${path}: cut off`)));
        },
      );
      sent.on("error", reject);
      const silence = new Error(`${method} ${path} got no answer with ${JSON.stringify(headers)}`);
      sent.setTimeout(silenceMsMax, () => sent.destroy(silence));
      sent.end(body);
    });
  }
}

function unpacked({ headers }: IncomingMessage, bytes: Buffer): Buffer {
  const isPacked = headers["content-encoding"] === "gzip" && bytes.length > 0;
  return isPacked ? gunzipSync(bytes) : bytes;
}
