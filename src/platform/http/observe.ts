import { randomUUID } from "node:crypto";
import type { Next } from "hono";
import type { Logger } from "../log/index.ts";
import type { Metrics } from "../metrics/index.ts";
import type { Clock } from "../time/clock.ts";
import type { AppContext } from "./context.ts";
import { securityHeaders } from "./guards/security-headers.ts";

const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * The outermost layer: names the request, sets the headers every answer has, measures and logs. The
 * log has the path without its query, and never a header.
 */
export function observe(options: {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly isStopping?: () => boolean;
}): (c: AppContext, next: Next) => Promise<void> {
  const { clock, log, metrics } = options;
  let inFlight = 0;
  const track = (change: 1 | -1) => {
    inFlight += change;
    metrics.set("tessera_http_requests_in_flight", {}, inFlight);
  };
  return async (c, next) => {
    const startMs = clock.monotonicMs();
    const requestId = requestIdOf(c.req.header("x-request-id"));
    c.set("requestId", requestId);
    track(1);
    try {
      await next();
    } finally {
      track(-1);
    }
    for (const [name, value] of Object.entries(securityHeaders)) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    }
    c.res.headers.set("x-request-id", requestId);
    if (options.isStopping?.() === true) c.res.headers.set("connection", "close");
    const durationMs = clock.monotonicMs() - startMs;
    const method = knownMethods.has(c.req.method) ? c.req.method : "OTHER";
    const route = c.get("route")?.path ?? "unmatched";
    const status = c.res.status;
    metrics.observe(
      "tessera_http_request_duration_seconds",
      { method, route, status },
      durationMs / 1000,
    );
    if (status === 304) metrics.count("tessera_http_not_modified_total", {});
    const entry = {
      requestId,
      method: c.req.method,
      path: c.req.path,
      status,
      durationMs,
      caller: c.get("caller")?.name,
      code: c.get("errorCode"),
    };
    if (status < 400 && !changesSomething(method)) log.debug(entry, "request");
    else log.info(entry, "request");
  };
}

/** A caller's own id is kept, so that it can find its request in our log; anything odd is not. */
function requestIdOf(given: string | undefined): string {
  return given !== undefined && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();
}

function changesSomething(method: string): boolean {
  return method !== "GET" && method !== "HEAD";
}
