import { TesseraError, toTesseraError } from "../errors/index.ts";
import { withDeadline } from "../time/index.ts";
import type { AppOptions } from "./app-options.ts";
import type { AuditEntry } from "./audit.ts";
import { authorize } from "./auth/authorize.ts";
import { anonymous, type Caller } from "./auth/caller.ts";
import { readJson } from "./body.ts";
import type { AppContext } from "./context.ts";
import { isSameOrigin } from "./guards/origin.ts";
import { changes, type Reply, type Route, type RouteInput, routeName } from "./route.ts";
import { validate } from "./validate.ts";

type HandleOptions = Pick<
  AppOptions,
  | "clock"
  | "authenticator"
  | "audit"
  | "openReads"
  | "bodyLimitBytes"
  | "requestTimeoutMs"
  | "secretCharsMax"
  | "auditStrangers"
>;

/** One request to one route: guards first, then the parts of the request, then the handler. */
export async function handleRoute(
  c: AppContext,
  route: Route,
  options: HandleOptions,
): Promise<Response> {
  c.set("route", route);
  checkOrigin(c, route);
  const caller = await identify(c, route, options);
  c.set("caller", caller);
  if (route.action === undefined) return toResponse(await answer(c, route, caller, options));
  const entry = { action: route.action, caller, requestId: c.get("requestId") };
  let reply: Reply;
  try {
    reply = await answer(c, route, caller, options);
  } catch (thrown) {
    await options.audit.record({ ...entry, ...outcomeOf(thrown) });
    throw thrown;
  }
  const target = reply instanceof Response ? undefined : reply.target;
  await options.audit.record({
    ...entry,
    outcome: "done",
    ...(target === undefined ? {} : { target }),
  });
  return toResponse(reply);
}

/** Who calls; strangers are written down where the app wants that. */
async function identify(c: AppContext, route: Route, options: HandleOptions): Promise<Caller> {
  try {
    return await authorize(route, c.req.header("authorization"), options);
  } catch (thrown) {
    if (options.auditStrangers === true && route.action !== undefined) {
      const entry = { action: route.action, caller: anonymous, requestId: c.get("requestId") };
      await options.audit.record({ ...entry, ...outcomeOf(thrown) });
    }
    throw thrown;
  }
}

function outcomeOf(thrown: unknown): Pick<AuditEntry, "outcome" | "code" | "problem"> {
  const error = toTesseraError(thrown);
  if (error.httpStatus >= 500) return { outcome: "failed", code: error.code };
  return { outcome: "refused", code: error.code, problem: error.message };
}

async function answer(
  c: AppContext,
  route: Route,
  caller: Caller,
  options: HandleOptions,
): Promise<Reply> {
  const name = routeName(route);
  const { incoming, outgoing } = c.env;
  const input: RouteInput<unknown, unknown, unknown> = {
    params: route.params && validate(route.params, c.req.param(), { part: "path", route: name }),
    query: route.query && validate(route.query, c.req.query(), { part: "query", route: name }),
    body:
      route.body &&
      validate(
        route.body,
        await readJson(c.req.raw, { limitBytes: options.bodyLimitBytes, route: name }),
        { part: "body", route: name },
      ),
    caller,
    requestId: c.get("requestId"),
    request: c.req.raw,
    node: incoming === undefined || outgoing === undefined ? undefined : { incoming, outgoing },
  };
  if (route.stream === true) return await route.handle(input);
  const { clock, requestTimeoutMs: timeoutMs } = options;
  return await withDeadline({ clock, timeoutMs, what: name }, async () => route.handle(input));
}

function checkOrigin(c: AppContext, route: Route): void {
  if (!changes(route.method) && route.stream !== true) return;
  const origin = c.req.header("origin");
  const headers = {
    origin,
    secFetchSite: c.req.header("sec-fetch-site"),
    host: c.req.header("host"),
  };
  if (isSameOrigin(headers)) return;
  throw new TesseraError("E_ORIGIN_REFUSED", { origin: origin ?? "another site" });
}

function toResponse(reply: Reply): Response {
  if (reply instanceof Response) return reply;
  if (!("json" in reply)) return new Response(null, { status: reply.status });
  return new Response(`${JSON.stringify(reply.json)}\n`, {
    status: reply.status ?? 200,
    headers: { "content-type": "application/json" },
  });
}
