import type { IncomingMessage } from "node:http";
import { version } from "../../../version.ts";
import { Semaphore } from "../../concurrency/index.ts";
import { isTesseraError } from "../../errors/index.ts";
import { type Clock, retry, withDeadline } from "../../time/index.ts";
import type { KubeConfig } from "../config/kube-config.ts";
import { AgentPool } from "./agents.ts";
import { BodyTooLargeError, exchange, readBody } from "./exchange.ts";
import { answerError, failedError, requestName, unreachableError } from "./failure.ts";
import { linkAbort } from "./linked-abort.ts";
import { parseRetryAfterMs } from "./retry-after.ts";
import { retryDecision } from "./retry-decision.ts";

/** How a call is limited. Every verb takes these. */
export interface CallOptions {
  /**
   * How long each attempt may take, from the connection to the last byte; the wait for its turn
   * among other requests of the client is not counted. @default 30_000
   */
  readonly timeoutMs?: number;
  /** No further attempt starts later than this; 0 tries once. @default 30_000 */
  readonly retryForMs?: number;
  readonly signal?: AbortSignal;
}

export interface ApiRequest extends CallOptions {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Absolute, with its query. */
  readonly path: string;
  readonly body?: unknown;
  /** @default application/json */
  readonly contentType?: string;
  /** Whether doing it twice is the same as doing it once. @default true for GET */
  readonly repeatable?: boolean;
}

export interface RequesterOptions {
  readonly config: KubeConfig;
  readonly clock: Clock;
  /** For the jitter of retries; any stream of an Rng. */
  readonly random: { float(): number };
  /** Requests at the same time; watches are not counted. @default 8 */
  readonly socketsMax?: number;
  /** No answer may be longer. @default 64 MiB */
  readonly responseBytesMax?: number;
}

const attemptsMax = 5;
const errorBodyBytesMax = 256 * 1024;

/** Sends requests to one API server: credentials, deadlines, limits and retries. */
export class Requester {
  readonly #options: RequesterOptions;
  readonly #agents: AgentPool;
  readonly #permits: Semaphore;
  readonly #closed = new AbortController();

  constructor(options: RequesterOptions) {
    const socketsMax = options.socketsMax ?? 8;
    this.#options = options;
    this.#agents = new AgentPool({ config: options.config, clock: options.clock, socketsMax });
    this.#permits = new Semaphore({ permits: socketsMax });
  }

  get config(): KubeConfig {
    return this.#options.config;
  }

  /** The body of a successful answer as text. */
  async text(request: ApiRequest): Promise<string> {
    const { clock, random } = this.#options;
    const { retryForMs = 30_000, repeatable = request.method === "GET" } = request;
    const { signal, release } = linkAbort(this.#closed.signal, request.signal);
    const attempt = () => this.#attempt(request, signal);
    try {
      return await retry(() => this.#permits.run(attempt, signal), {
        clock,
        rng: random,
        attemptsMax,
        delayMs: 200,
        deadlineMs: retryForMs,
        signal,
        shouldRetry: (error) => retryForMs > 0 && retryDecision(error, { repeatable }),
      });
    } finally {
      release();
    }
  }

  /** The body of a successful answer as JSON. The caller says which shape it expects. */
  async json<T>(request: ApiRequest): Promise<T> {
    const text = await this.text(request);
    try {
      return JSON.parse(text) as T;
    } catch {
      // The parser's message quotes the answer, which may hold secrets.
      throw failedError(
        this.#subject(request),
        "the answer is not JSON; is this a Kubernetes API?",
      );
    }
  }

  /**
   * The open body of a successful answer, on a connection of its own. One attempt; `timeoutMs` is
   * for the head of the answer. Past that, the stream lives until the caller or the client ends it.
   */
  async open(request: ApiRequest): Promise<IncomingMessage> {
    const life = linkAbort(this.#closed.signal, request.signal);
    try {
      return await this.#limited(request, life.signal, async (deadline) => {
        const head = linkAbort(life.signal, deadline);
        const response = await this.#authorized(request, head.signal, true);
        if (response.statusCode !== 200) throw await this.#refusal(request, response);
        response.once("close", () => {
          head.release();
          life.release();
        });
        return response;
      });
    } catch (error) {
      life.release();
      throw error;
    }
  }

  /** Ends every request and closes every connection. */
  close(): void {
    this.#closed.abort(new Error("the Kubernetes client was closed"));
    this.#agents.close();
  }

  async #attempt(request: ApiRequest, signal: AbortSignal): Promise<string> {
    return this.#limited(request, signal, async (deadline) => {
      const response = await this.#authorized(request, deadline, false);
      const status = response.statusCode ?? 0;
      if (status < 200 || status > 299) throw await this.#refusal(request, response);
      return readBody(response, this.#options.responseBytesMax ?? 64 * 1024 * 1024);
    });
  }

  /** Runs one attempt under its deadline, and says what went wrong in our own words. */
  async #limited<T>(
    request: ApiRequest,
    signal: AbortSignal,
    work: (deadline: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { clock } = this.#options;
    try {
      const timeoutMs = request.timeoutMs ?? 30_000;
      return await withDeadline({ clock, timeoutMs, what: requestName(request), signal }, work);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof BodyTooLargeError)
        throw failedError(this.#subject(request), error.message);
      const timedOut = isTesseraError(error) && error.code === "E_TIMEOUT";
      if (isTesseraError(error) && !timedOut) throw error;
      this.#agents.closeIdle();
      throw unreachableError(this.#subject(request), error);
    }
  }

  /** One request with the current credentials; refused once, with refreshed ones. */
  async #authorized(
    request: ApiRequest,
    signal: AbortSignal,
    stream: boolean,
  ): Promise<IncomingMessage> {
    const { credentials } = this.config;
    const response = await this.#send(request, signal, stream);
    if (response.statusCode !== 401 || !credentials.refresh()) return response;
    response.resume();
    return this.#send(request, signal, stream);
  }

  async #send(request: ApiRequest, signal: AbortSignal, stream: boolean): Promise<IncomingMessage> {
    const { config } = this;
    const credential = await config.credentials.get();
    const agents = this.#agents.for(credential);
    const { body } = request;
    return exchange({
      server: config.server,
      method: request.method,
      path: request.path,
      agent: stream ? agents.streams : agents.requests,
      signal,
      headers: {
        ...config.headers,
        accept: "application/json, */*",
        "user-agent": `tessera/${version} (${process.platform}/${process.arch})`,
        ...(config.compression && !stream ? { "accept-encoding": "gzip" } : {}),
        ...(credential.authorization === undefined
          ? {}
          : { authorization: credential.authorization }),
        ...(body === undefined
          ? {}
          : { "content-type": request.contentType ?? "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  }

  async #refusal(request: ApiRequest, response: IncomingMessage): Promise<Error> {
    const { clock } = this.#options;
    const body = await readBody(response, errorBodyBytesMax).catch(() => "");
    const retryAfterMs = parseRetryAfterMs(response.headers["retry-after"], clock.nowMs());
    return answerError(this.#subject(request), {
      status: response.statusCode ?? 0,
      body,
      retryAfterMs,
    });
  }

  #subject(request: ApiRequest) {
    return { config: this.config, method: request.method, path: request.path };
  }
}
