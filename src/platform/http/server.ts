import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import { TesseraError } from "../errors/index.ts";
import type { Logger } from "../log/index.ts";
import type { Clock } from "../time/clock.ts";
import type { App } from "./app.ts";
import { hostInUrl } from "./guards/host.ts";
import { problemResponse, toProblem } from "./problem.ts";

/** Limits that keep one client from using up the server. */
export interface ServerLimits {
  /** Time for the headers of a request to arrive. @default 10 000 */
  readonly headersTimeoutMs: number;
  /** Time for a whole request to arrive, its body included. @default 30 000 */
  readonly requestTimeoutMs: number;
  /** How long an idle connection is kept for a next request. @default 5 000 */
  readonly keepAliveTimeoutMs: number;
  /** Connections open at once, event streams included; more are refused. @default 4096 */
  readonly connectionsMax: number;
}

const defaultLimits: ServerLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 5_000,
  connectionsMax: 4096,
};

export interface StartServerOptions {
  readonly app: Pick<App, "fetch">;
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly clock: Clock;
  readonly log: Pick<Logger, "error">;
  readonly limits?: Partial<ServerLimits>;
}

export interface RunningServer {
  /** The address to open, with the port that was taken. */
  readonly url: string;
  readonly port: number;
  /**
   * Stops accepting, lets requests in progress finish until the deadline, then breaks what is left.
   * Streams must be ended by their owner. Resolves to how many connections had to be broken.
   * Stopping twice is stopping once.
   */
  stop(options: { readonly deadlineMs: number }): Promise<{ readonly broken: number }>;
}

/**
 * Listens for requests. Throws E_PORT_IN_USE or E_LISTEN_FAILED when it cannot.
 */
export async function startServer(options: StartServerOptions): Promise<RunningServer> {
  const { app, host, port, clock, log } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const listener = getRequestListener(
    // This server speaks HTTP/1 only.
    async (request, env) => app.fetch(request, env as HttpBindings),
    // A library leaves the globals of whoever embeds it alone.
    { overrideGlobalObjects: false, errorHandler: answerOutside },
  );
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      // How often Node looks for connections that are over their time.
      connectionsCheckingInterval: Math.min(1000, limits.headersTimeoutMs),
    },
    (incoming, outgoing) => void listener(incoming, outgoing),
  );
  server.maxConnections = limits.connectionsMax;
  await listen(server, host, port);
  server.on("error", (err) => log.error({ err }, "the server could not accept a connection"));
  const address = server.address() as AddressInfo;
  let stopped: Promise<{ readonly broken: number }> | undefined;
  return {
    url: `http://${hostInUrl(host)}:${address.port}`,
    port: address.port,
    stop: ({ deadlineMs }) => (stopped ??= stopServer(server, clock, deadlineMs)),
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
    server.listen({ host, port }, () => {
      server.removeAllListeners("error");
      resolve();
    });
  });
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): TesseraError {
  if (error.code === "EADDRINUSE")
    return new TesseraError("E_PORT_IN_USE", { host, port }, { cause: error });
  const problems: Readonly<Record<string, string>> = {
    EACCES: "only the administrator of this machine may use that port.",
    EADDRNOTAVAIL: "this machine does not have that address.",
    ENOTFOUND: "no such host name is known here.",
    EAI_AGAIN: "no such host name is known here.",
  };
  const problem = problems[error.code ?? ""] ?? error.message;
  return new TesseraError("E_LISTEN_FAILED", { host, port, problem }, { cause: error });
}

const idleCheckMs = 25;

/** Node keeps idle connections open while it closes; looking again and again ends them in time. */
function stopServer(server: Server, clock: Clock, deadlineMs: number): Promise<{ broken: number }> {
  return new Promise((resolve) => {
    let broken = 0;
    const endsAtMs = clock.monotonicMs() + deadlineMs;
    const look = () => {
      server.closeIdleConnections();
      if (clock.monotonicMs() < endsAtMs) {
        timer = clock.setTimer(idleCheckMs, look);
        return;
      }
      server.getConnections((_error, count) => {
        broken = count;
        server.closeAllConnections();
      });
    };
    let timer = clock.setTimer(0, look);
    server.close(() => {
      timer.cancel();
      resolve({ broken });
    });
  });
}

/** Requests that never reached a route: unreadable ones, and what not even the app could answer. */
function answerOutside(thrown: unknown): Response {
  const error =
    thrown instanceof RequestError
      ? new TesseraError(
          "E_REQUEST_INVALID",
          { part: "first line or Host header", problem: "it cannot be read.", route: "each path" },
          { cause: thrown },
        )
      : thrown;
  const problem = toProblem(error, { instance: "/", requestId: "none" });
  return problemResponse(problem, { connection: "close" });
}
