import { isTesseraError, TesseraError, toTesseraError } from "../errors/index.ts";
import { withDeadline } from "../time/index.ts";
import { answerJson } from "./answer-json.ts";
import type { AppOptions } from "./app-options.ts";
import { type RefusalNotes, recordBegin, recordDone, recordNotDone } from "./audit-call.ts";
import { authorize, type Identity } from "./auth/authorize.ts";
import { type Authenticator, anonymous } from "./auth/caller.ts";
import type { GuessGuard } from "./auth/guess-guard.ts";
import { readJson } from "./body.ts";
import { addressKey } from "./caller-address.ts";
import { callerKey } from "./caller-key.ts";
import type { AppContext } from "./context.ts";
import { isSameOrigin } from "./guards/origin.ts";
import type { RateLimiter } from "./rate-limit/rate-limiter.ts";
import { changes, type Reply, type Route, type RouteInput, routeName } from "./route.ts";
import { validate } from "./validate.ts";

export interface HandleOptions extends RouteOptions {
  /** Who may do how much; undefined where nobody is limited. */
  readonly limits: { readonly limiter: RateLimiter; readonly guesses: GuessGuard } | undefined;
  readonly refusals: RefusalNotes;
}

type RouteOptions = Pick<
  AppOptions,
  | "clock"
  | "log"
  | "authenticator"
  | "audit"
  | "openReads"
  | "bodyLimitBytes"
  | "requestTimeoutMs"
  | "secretCharsMax"
  | "auditsEveryRefusal"
  | "refusesChanges"
>;

/** Where another process takes over, it needs about so long. */
const stoppingWaitS = 10;

/** One request to one route: guards first, then the parts of the request, then the handler. */
export async function handleRoute(
  c: AppContext,
  route: Route,
  options: HandleOptions,
): Promise<Response> {
  c.set("route", route);
  checkTakesChanges(route, options);
  let reply: Reply;
  try {
    checkOrigin(c, route);
    reply = await answerInTime(c, route, options);
  } catch (thrown) {
    await recordNotDone(c, route, thrown, options);
    throw thrown;
  }
  await recordDone(c, route, reply, options);
  return await toResponse(c, route, reply);
}

/** Finding out who calls is part of the request's time; what a stream does is not. */
async function answerInTime(c: AppContext, route: Route, options: HandleOptions): Promise<Reply> {
  const { clock, requestTimeoutMs: timeoutMs } = options;
  const limit = { clock, timeoutMs, what: routeName(route) };
  const admit = async () => {
    const identity = await identify(c, route, options);
    checkRate(c, route, options);
    return identity;
  };
  if (route.stream === true) {
    const identity = await withDeadline(limit, admit);
    return await answer(c, route, { ...options, identity, signal: c.req.raw.signal });
  }
  return await withDeadline(limit, async (signal) =>
    answer(c, route, { ...options, identity: await admit(), signal }),
  );
}

/** Who calls. Somebody known who tries what their role does not allow is counted as any other call. */
async function identify(c: AppContext, route: Route, options: HandleOptions): Promise<Identity> {
  const { limits } = options;
  const authenticator: Authenticator = {
    identify: async (secret) => {
      const found = await (limits === undefined
        ? options.authenticator.identify(secret)
        : limits.guesses.identify(secret, addressKey(c.get("address"))));
      if (typeof found !== "string") c.set("caller", found);
      return found;
    },
  };
  try {
    const header = c.req.header("authorization");
    const identity = await authorize(route, header, { ...options, authenticator });
    c.set("caller", identity.caller);
    return identity;
  } catch (thrown) {
    if (c.get("caller") !== undefined) checkRate(c, route, options);
    throw thrown;
  }
}

async function answer(
  c: AppContext,
  route: Route,
  options: HandleOptions & { readonly identity: Identity; readonly signal: AbortSignal },
): Promise<Reply> {
  const { identity, signal } = options;
  const name = routeName(route);
  const { incoming, outgoing } = c.env;
  const input: Omit<RouteInput<unknown, unknown, unknown>, "signal"> = {
    params: route.params && validate(route.params, c.req.param(), { part: "path", route: name }),
    query: route.query && validate(route.query, c.req.query(), { part: "query", route: name }),
    body:
      route.body &&
      validate(
        route.body,
        await readJson(c.req.raw, { limitBytes: options.bodyLimitBytes, route: name }),
        { part: "body", route: name },
      ),
    ...identity,
    requestId: c.get("requestId"),
    address: c.get("address"),
    request: c.req.raw,
    isStillGood: identity.token === "none" ? undefined : () => isStillGood(c, route, options),
    node: incoming === undefined || outgoing === undefined ? undefined : { incoming, outgoing },
  };
  // Its caller was told that there is no answer: what was not begun by then is not begun.
  const checkTime = () => route.stream === true || signal.throwIfAborted();
  checkTime();
  if (route.action !== undefined) {
    c.set("auditDetails", route.auditDetails?.({ body: input.body }));
    await recordBegin(c, route, options);
    checkTime();
  }
  return await route.handle({ ...input, signal });
}

/** Asks anew, and past the guard: no stranger is let in here, and no guess made. */
async function isStillGood(c: AppContext, route: Route, options: HandleOptions): Promise<boolean> {
  try {
    const { token } = await authorize(route, c.req.header("authorization"), options);
    return token === "good";
  } catch (thrown) {
    if (isTesseraError(thrown) && [401, 403].includes(toTesseraError(thrown).httpStatus)) {
      return false;
    }
    throw thrown;
  }
}

/** A job's result is taken to the last: nobody brings it again. */
function checkTakesChanges(route: Route, { refusesChanges }: HandleOptions): void {
  if (!changes(route.method) || route.ownToken === true || refusesChanges?.() !== true) return;
  throw new TesseraError("E_STOPPING", { waitS: stoppingWaitS });
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

/**
 * Counts the call as its caller's. Open reads come from memory and tell whether we live: they always
 * answer. A job that hands in its result is one of many at the address of its host.
 */
function checkRate(c: AppContext, route: Route, { limits }: HandleOptions): void {
  if (limits === undefined || (route.access === "open" && route.ownToken !== true)) return;
  const isChange = changes(route.method) && route.ownToken !== true;
  const key = callerKey(c.get("caller") ?? anonymous, c.get("address"));
  limits.limiter.use(isChange ? "changes" : "reads", key);
}

async function toResponse(c: AppContext, route: Route, reply: Reply): Promise<Response> {
  if (reply instanceof Response) return reply;
  if (!("json" in reply)) return new Response(null, { status: reply.status });
  return await answerJson(reply.json, {
    status: reply.status ?? 200,
    isShared: reply.isShared ?? false,
    isRead: !changes(route.method),
    acceptEncoding: c.req.header("accept-encoding"),
    ifNoneMatch: c.req.header("if-none-match"),
  });
}
