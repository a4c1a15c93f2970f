import {
  createApp,
  isLoopback,
  loopbackNames,
  type Route,
  type RunningServer,
  startServer,
} from "../../platform/http/index.ts";
import type { Logger } from "../../platform/log/index.ts";
import { createMetrics } from "../../platform/metrics/index.ts";
import type { Clock } from "../../platform/time/clock.ts";

export interface ResultServerOptions {
  /** The address to listen on; only that of the loopback is closed to other machines. */
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** From `createResultRoute`. */
  readonly route: Route;
  readonly clock: Clock;
  readonly log: Logger;
}

const requestTimeoutMs = 30_000;
/** Of routes that have no limit of their own; there are none that take a body. */
const bodyLimitBytes = 64 * 1024;

/**
 * Listens for results and nothing else, for a loop that runs without `tessera up`. Nobody has a role
 * here; the one route asks for a run's token.
 *
 * @throws TesseraError E_PORT_IN_USE or E_LISTEN_FAILED
 */
export async function startResultServer(options: ResultServerOptions): Promise<RunningServer> {
  const { host, port, route, clock, log } = options;
  const app = createApp({
    routes: [route],
    clock,
    log,
    metrics: createMetrics(),
    authenticator: { identify: async () => "unknown" },
    audit: { record: async () => {} },
    openReads: false,
    hosts: isLoopback(host) ? loopbackNames(host) : "any",
    bodyLimitBytes,
    requestTimeoutMs,
  });
  return startServer({ app, host, port, clock, log });
}
