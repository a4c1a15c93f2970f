import { request as requestPlain } from "node:http";
import { type Agent, request as requestTls } from "node:https";

export interface HttpOptions {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Keeps connections between requests; without it each has its own. */
  readonly agent?: Agent;
  /** Trust and identity for https; without `ca` the server's certificate is not checked. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** One request; rejects only when there is no answer. */
export function http(url: string, options: HttpOptions = {}): Promise<HttpAnswer> {
  const { method = "GET", body, headers = {}, timeoutMs = 10_000, tls = {} } = options;
  const send = url.startsWith("https:") ? requestTls : requestPlain;
  return new Promise((resolve, reject) => {
    const outgoing = send(
      url,
      {
        method,
        headers: { ...headers, ...(body === undefined ? {} : lengthOf(body)) },
        agent: options.agent ?? false,
        timeout: timeoutMs,
        ...tls,
        rejectUnauthorized: tls.ca !== undefined,
      },
      (incoming) => {
        const parts: Buffer[] = [];
        incoming.on("data", (part: Buffer) => parts.push(part));
        incoming.on("error", reject);
        incoming.on("end", () => {
          resolve({
            status: incoming.statusCode ?? 0,
            body: Buffer.concat(parts).toString("utf8"),
          });
        });
      },
    );
    outgoing.on("timeout", () => outgoing.destroy(new Error(`no answer from ${url}`)));
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function lengthOf(body: string): Record<string, string> {
  return { "content-length": String(Buffer.byteLength(body)) };
}
