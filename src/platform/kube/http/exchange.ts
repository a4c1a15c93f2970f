import { type Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

const unzip = promisify(gunzip);

/** TCP asks a silent peer for a sign of life after this long, and gives up about as much later. */
const tcpKeepAliveMs = 15_000;

export interface Exchange {
  readonly server: URL;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | undefined;
  readonly agent: Agent;
  /** Ends the exchange at any point; the connection is closed. */
  readonly signal: AbortSignal;
}

/** Sends one request and waits for the head of the answer; its body is still to be read. */
export function exchange(options: Exchange): Promise<IncomingMessage> {
  const { server, method, path, headers, body, agent, signal } = options;
  const prefix = server.pathname.replace(/\/+$/, "");
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const send = server.protocol === "https:" ? httpsRequest : httpRequest;
    const request = send({
      method,
      host: server.hostname.replace(/^\[|\]$/g, ""),
      port: server.port,
      path: `${prefix}${path}`,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
      },
      agent,
    });
    const onAbort = () => request.destroy(asError(signal.reason));
    signal.addEventListener("abort", onAbort, { once: true });
    request.once("close", () => signal.removeEventListener("abort", onAbort));
    request.once("socket", (socket) => socket.setKeepAlive(true, tcpKeepAliveMs));
    request.once("response", resolve);
    request.on("error", reject);
    request.end(body);
  });
}

/** An answer's body was longer than allowed. */
export class BodyTooLargeError extends Error {
  constructor(bytesMax: number) {
    super(`the answer has more than ${bytesMax} bytes`);
  }
}

/** Reads a whole body as text, unpacked if it came packed, and no more than `bytesMax` of it. */
export async function readBody(response: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > bytesMax) {
      response.destroy();
      throw new BodyTooLargeError(bytesMax);
    }
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks, sizeBytes);
  if (response.headers["content-encoding"] !== "gzip") return bytes.toString("utf8");
  try {
    return (await unzip(bytes, { maxOutputLength: bytesMax })).toString("utf8");
  } catch (error) {
    const tooLarge = error instanceof RangeError;
    throw tooLarge ? new BodyTooLargeError(bytesMax) : error;
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
