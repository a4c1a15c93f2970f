import assert from "node:assert/strict";
import { Hono } from "hono";
import { isTesseraError, TesseraError, toTesseraError } from "../errors/index.ts";
import type { AppOptions } from "./app-options.ts";
import { RefusalNotes } from "./audit-call.ts";
import { GuessGuard } from "./auth/guess-guard.ts";
import { createCallerAddress } from "./caller-address.ts";
import type { AppContext, AppEnv } from "./context.ts";
import { hostnameOf } from "./guards/host.ts";
import { type HandleOptions, handleRoute } from "./handle-route.ts";
import { observe } from "./observe.ts";
import { openApiRoute } from "./openapi.ts";
import { headersFor, isUnforeseen, problemResponse, toProblem } from "./problem.ts";
import { RateLimiter } from "./rate-limit/rate-limiter.ts";
import { changes, type Route, routeName } from "./route.ts";
import { unmatchedError, wantsPage } from "./unmatched.ts";

export interface App {
  /** Answers one request; the second argument is what the Node server knows about it. */
  fetch(request: Request, env?: Partial<AppEnv["Bindings"]>): Promise<Response>;
  /** Every route, the API's own description included. */
  readonly routes: readonly Route[];
}

/** Puts routes behind the guards: host, origin, token and role, body limit, validation, audit. */
export function createApp(options: AppOptions): App {
  const routes = [...options.routes, openApiRoute(options.routes)];
  checkRoutes(routes);
  const hono = new Hono<AppEnv>();
  const handling = {
    ...options,
    limits: limitsOf(options),
    refusals: new RefusalNotes(options.clock),
  };
  const callerAddress = createCallerAddress(options.trustedProxies ?? []);
  hono.use(async (c, next) => {
    const address = c.env.incoming?.socket.remoteAddress;
    c.set("address", callerAddress({ address, forwardedFor: c.req.header("x-forwarded-for") }));
    await next();
  });
  hono.use(observe(options));
  hono.use(async (c, next) => {
    checkHost(c.req.header("host"), options.hosts);
    await next();
  });
  for (const route of routes) {
    hono.on(route.method, route.path, (c) => handleRoute(c, route, handling));
  }
  hono.notFound((c) => {
    const { method, path } = c.req;
    const error = unmatchedError({ method, path }, routes);
    const wants = { method, path, accept: c.req.header("accept") };
    if (options.unknownPage !== undefined && wantsPage(error, wants)) {
      c.set("errorCode", error.code);
      options.metrics.count("tessera_http_errors_total", { code: error.code });
      return options.unknownPage(c.req.raw);
    }
    return answerError(c, error, options);
  });
  hono.onError((error, c) => answerError(c, error, options));
  return { fetch: async (request, env) => hono.fetch(request, env ?? {}), routes };
}

function limitsOf({
  rateLimits,
  clock,
  metrics,
  authenticator,
}: AppOptions): HandleOptions["limits"] {
  if (rateLimits === undefined) return undefined;
  const onRefuse = (kind: string) => metrics.count("tessera_http_rate_limited_total", { kind });
  const limiter = new RateLimiter({ clock, limits: rateLimits, onRefuse });
  return { limiter, guesses: new GuessGuard({ authenticator, limiter }) };
}

/** What must be true of a table of routes, so that no route can forget its guard. */
function checkRoutes(routes: readonly Route[]): void {
  const names = new Set<string>();
  for (const route of routes) {
    const name = routeName(route);
    assert(!names.has(name), `${name} is declared twice`);
    names.add(name);
    if (route.asksWho === true) assert(route.access === "open", `${name} asks twice who calls`);
    if (route.ownToken === true) assert(route.access === "open", `${name} asks for two tokens`);
    if (!changes(route.method) || route.ownToken === true) continue;
    assert(
      route.access !== "open" && route.access !== "read",
      `${name} changes something without a role`,
    );
    assert(
      route.action !== undefined,
      `${name} changes something without a name for the audit log`,
    );
  }
}

function checkHost(header: string | undefined, allowed: AppOptions["hosts"]): void {
  if (allowed === "any") return;
  const name = hostnameOf(header);
  if (name !== undefined && allowed.includes(name)) return;
  throw new TesseraError("E_HOST_REFUSED", {
    host: name ?? "(none)",
    allowed: allowed.join(", "),
  });
}

function answerError(
  c: AppContext,
  thrown: unknown,
  options: Pick<AppOptions, "log" | "metrics">,
): Response {
  const error = toTesseraError(thrown);
  const requestId = c.get("requestId");
  c.set("errorCode", error.code);
  options.metrics.count("tessera_http_errors_total", { code: error.code });
  if (isUnforeseen(thrown)) {
    options.log.error(
      { err: isTesseraError(thrown) ? (thrown.cause ?? thrown) : thrown, requestId },
      "request failed",
    );
  }
  return problemResponse(toProblem(error, { instance: c.req.path, requestId }), headersFor(error));
}
