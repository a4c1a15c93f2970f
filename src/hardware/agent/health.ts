import { loopbackNames, type RunningServer, startServer } from "../../platform/http/index.ts";
import type { Logger } from "../../platform/log/index.ts";
import type { Clock } from "../../platform/time/index.ts";

/** How an agent is, as GET /healthz answers it. */
export interface AgentHealth {
  readonly node: string;
  /** `ok`: it follows the faults; `starting`, `stale`: it does not know what is in force. */
  readonly status: "starting" | "ok" | "stale";
  /** RFC 3339; null before the first contact. */
  readonly lastContactAt: string | null;
  /** Faults of this node that may act now. */
  readonly faultsInForce: number;
}

const host = "127.0.0.1";

/** Serves the health of an agent on the loopback address, and nothing else. */
export function serveHealth(options: {
  readonly port: number;
  readonly clock: Clock;
  readonly log: Pick<Logger, "error">;
  readonly health: () => AgentHealth;
}): Promise<RunningServer> {
  const { clock, health, log, port } = options;
  const fetch = (request: Request) => Promise.resolve(answer(request, health));
  return startServer({ app: { fetch }, host, port, clock, log });
}

function answer(request: Request, health: () => AgentHealth): Response {
  const { hostname, pathname } = new URL(request.url);
  // A page that plays with DNS asks for another name.
  if (!loopbackNames(host).includes(hostname)) return new Response(null, { status: 403 });
  if (pathname !== "/healthz") return new Response(null, { status: 404 });
  if (request.method !== "GET") return new Response(null, { status: 405 });
  const found = health();
  return Response.json(found, { status: found.status === "ok" ? 200 : 503 });
}
