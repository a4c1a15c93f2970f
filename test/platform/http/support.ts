import { type IncomingHttpHeaders, request } from "node:http";
import { z } from "zod";
import { createApp } from "../../../src/platform/http/app.ts";
import type { AppOptions } from "../../../src/platform/http/app-options.ts";
import type { AuditEntry } from "../../../src/platform/http/audit.ts";
import type { Authenticator } from "../../../src/platform/http/auth/caller.ts";
import { EventHub, type EventHubOptions } from "../../../src/platform/http/events/event-hub.ts";
import { defineRoute, type Route } from "../../../src/platform/http/route.ts";
import { eventRoutes } from "../../../src/platform/http/routes/events.ts";
import { type ServerLimits, startServer } from "../../../src/platform/http/server.ts";
import { createLogger } from "../../../src/platform/log/index.ts";
import { createMetrics, type Metrics } from "../../../src/platform/metrics/index.ts";
import type { Clock } from "../../../src/platform/time/clock.ts";
import { createRealClock } from "../../../src/platform/time/real-clock.ts";

/** Tokens of the test server: the secret says what it is. */
export const authenticator: Authenticator = {
  identify: async (secret) => {
    if (secret === "expired" || secret === "revoked") return secret;
    const role = z.enum(["read", "operate", "inject", "admin"]).safeParse(secret);
    return role.success ? { name: `${role.data}-token`, role: role.data } : "unknown";
  },
};

/** One route of each kind. */
export const sampleRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/alive",
    summary: "Open to all.",
    access: "open",
    responses: { description: "Alive.", schema: z.string() },
    handle: () => ({ json: "alive" }),
  }),
  defineRoute({
    method: "GET",
    path: "/things/:id",
    summary: "Reads one.",
    access: "read",
    params: z.strictObject({ id: z.string().max(8) }),
    query: z.strictObject({ limit: z.coerce.number().pipe(z.int().max(10)).optional() }),
    responses: { description: "It.", schema: z.looseObject({}) },
    handle: ({ params, query, caller }) => ({ json: { ...params, ...query, caller: caller.name } }),
  }),
  defineRoute({
    method: "POST",
    path: "/things",
    summary: "Makes one.",
    access: "operate",
    action: "thing.create",
    body: z.strictObject({ name: z.string(), tags: z.array(z.string()).optional() }),
    responses: { status: 201, description: "It.", schema: z.looseObject({}) },
    handle: ({ body }) => ({ status: 201, json: body, target: body.name }),
  }),
  defineRoute({
    method: "DELETE",
    path: "/things/:id",
    summary: "Breaks in an unforeseen way.",
    access: "admin",
    action: "thing.delete",
    responses: { status: 204, description: "Gone." },
    handle: () => {
      throw new Error("the password of the database is hunter2");
    },
  }),
  defineRoute({
    method: "GET",
    path: "/page",
    summary: "A page.",
    access: "read",
    page: true,
    responses: { description: "The page.", contentType: "text/html" },
    handle: () => new Response("<p>hello</p>", { headers: { "content-type": "text/html" } }),
  }),
];

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly hub: EventHub;
  readonly metrics: Metrics;
  readonly audited: readonly AuditEntry[];
  readonly logged: () => string;
  stop(deadlineMs?: number): Promise<{ readonly broken: number }>;
}

export async function startTestServer(
  options: {
    readonly routes?: readonly Route[];
    readonly app?: Partial<AppOptions>;
    readonly limits?: Partial<ServerLimits>;
    readonly hub?: Partial<EventHubOptions>;
    readonly clock?: Clock;
  } = {},
): Promise<TestServer> {
  const clock = options.clock ?? createRealClock();
  const metrics = createMetrics();
  const audited: AuditEntry[] = [];
  const lines: string[] = [];
  const stream = { write: (text: string) => lines.push(text) };
  const hub = new EventHub({
    clock,
    onDrop: () => metrics.count("tessera_http_event_streams_dropped_total", {}),
    ...options.hub,
  });
  const log = createLogger({ level: "debug", format: "json", stream, clock });
  const app = createApp({
    routes: [...(options.routes ?? sampleRoutes), ...eventRoutes(hub)],
    clock,
    log,
    metrics,
    authenticator,
    audit: { record: async (entry) => void audited.push(entry) },
    openReads: true,
    hosts: ["localhost", "127.0.0.1"],
    bodyLimitBytes: 1024,
    requestTimeoutMs: 60_000,
    ...options.app,
  });
  const server = await startServer({
    app,
    host: "127.0.0.1",
    port: 0,
    clock: createRealClock(),
    log,
    limits: options.limits ?? {},
  });
  let stopped: Promise<{ readonly broken: number }> | undefined;
  const stop = (deadlineMs = 2000) => {
    hub.close();
    stopped ??= server.stop({ deadlineMs });
    return stopped;
  };
  return {
    url: server.url,
    port: server.port,
    hub,
    metrics,
    audited,
    logged: () => lines.join(""),
    stop,
    [Symbol.asyncDispose]: async () => void (await stop(0)),
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

/** One request with any header, also those that fetch does not let one set. */
export function send(
  server: { readonly port: number },
  method: string,
  path: string,
  options: {
    readonly headers?: Record<string, string>;
    readonly token?: string;
    readonly body?: string | Buffer;
    readonly json?: unknown;
  } = {},
): Promise<Answer> {
  const body = options.json === undefined ? options.body : JSON.stringify(options.json);
  const headers = {
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
    ...(options.json === undefined ? {} : { "content-type": "application/json" }),
    ...options.headers,
  };
  return new Promise((resolve, reject) => {
    const call = request(
      { host: "127.0.0.1", port: server.port, method, path, headers, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = /json/.test(response.headers["content-type"] ?? "");
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: isJson && text !== "" ? JSON.parse(text) : {},
          });
        });
      },
    );
    call.on("error", reject);
    call.end(body);
  });
}
