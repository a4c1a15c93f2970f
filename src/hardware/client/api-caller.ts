import type { z } from "zod";
import { isTesseraError, TesseraError } from "../../platform/errors/index.ts";
import { isLoopback } from "../../platform/http/index.ts";
import { type Clock, withDeadline } from "../../platform/time/index.ts";
import { errorOfAnswer, reachProblem, readAnswer, unreachable } from "./api-answer.ts";

export interface ApiCallerOptions {
  /**
   * Where the API listens: `http://127.0.0.1:8080`. A function is asked right before each call and
   * throws when nobody listens there any more.
   */
  readonly url: string | URL | (() => string);
  /** The caller's token, or where to get it; asked for each call, since tokens are renewed. */
  readonly token: string | (() => Promise<string>);
  readonly clock: Clock;
}

/** One call of the API. */
export interface ApiCall<Schema extends z.ZodType> {
  readonly method: "GET" | "POST" | "DELETE";
  /** With its query. */
  readonly path: string;
  readonly body?: object;
  /** What the answer must look like. */
  readonly schema: Schema;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** An answer of this status is one too. */
  readonly otherStatus?: number;
  /** @default false */
  readonly anonymous?: boolean;
}

export type ApiCaller = <Schema extends z.ZodType>(
  call: ApiCall<Schema>,
) => Promise<z.output<Schema>>;

/**
 * Calls the fault API, once. A token is only ever sent to this machine or over TLS, and never on to
 * another address.
 *
 * @throws TesseraError E_HW_API_UNREACHABLE, or what the API reports
 */
export function createApiCaller(options: ApiCallerOptions): ApiCaller {
  const { clock } = options;
  const baseOf = addressOf(options.url);
  return async (call) => {
    const { timeoutMs, signal, path } = call;
    const where = baseOf().origin;
    try {
      const what = `The answer to ${call.method} ${path.split("?", 1)[0]}`;
      const outer = signal === undefined ? {} : { signal };
      return await withDeadline({ clock, timeoutMs, what, ...outer }, (inner) =>
        callOnce(options, () => new URL(path, baseOf()), { ...call, signal: inner }),
      );
    } catch (error) {
      signal?.throwIfAborted();
      if (isTesseraError(error) && error.code !== "E_TIMEOUT") throw error;
      throw unreachable(where, reachProblem(error), error);
    }
  };
}

function addressOf(url: ApiCallerOptions["url"]): () => URL {
  if (typeof url === "function") return () => checked(new URL(url()));
  const base = checked(new URL(url));
  return () => base;
}

function checked(base: URL): URL {
  if (base.protocol === "https:" || isLoopback(base.hostname)) return base;
  throw new TesseraError("E_HW_REFUSED", {
    what: `Sending a token to ${base.origin}`,
    problem: "the connection is not encrypted",
  });
}

async function callOnce<Schema extends z.ZodType>(
  { token }: ApiCallerOptions,
  urlOf: () => URL,
  call: ApiCall<Schema>,
): Promise<z.output<Schema>> {
  const { method, body, signal, schema, otherStatus } = call;
  const secret = call.anonymous === true ? "" : typeof token === "string" ? token : await token();
  // Getting a token may take a while, in which the address may have become somebody else's.
  const url = urlOf();
  const response = await fetch(url, {
    method,
    redirect: "error",
    headers: {
      ...(secret === "" ? {} : { authorization: `Bearer ${secret}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const answer = await readAnswer(response);
  if (!response.ok && response.status !== otherStatus) {
    throw errorOfAnswer(url.origin, response.status, answer);
  }
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw unreachable(url.origin, `its answer is not one of a fault API (${parsed.error.message})`);
}
