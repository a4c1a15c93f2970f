import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import type { ErrorCode } from "../errors/index.ts";
import type { AuditDetails } from "./audit.ts";
import type { TokenFound } from "./auth/authorize.ts";
import type { Caller } from "./auth/caller.ts";
import type { Role } from "./auth/roles.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Who may call: everyone (`open`), or holders of a role. Reads need no token on the loopback address. */
export type Access = "open" | Role;

/** What a handler is given: every part already checked against its schema. */
export interface RouteInput<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Caller;
  /** What became of the token; a problem only where the route `asksWho`. */
  readonly token: TokenFound;
  /** The caller may read what is not open to all. */
  readonly mayRead: boolean;
  readonly requestId: string;
  /** Where it comes from, as far as trusted proxies say. */
  readonly address: string;
  readonly request: Request;
  /**
   * Aborts when the caller has been told that there was no answer in time: what has not been done by then
   * must not be done any more. Of a stream: when its reader has gone away.
   */
  readonly signal: AbortSignal;
  /**
   * True while the caller's token is good for this route. Undefined where none came.
   *
   * @throws whatever the authenticator throws when it cannot tell
   */
  readonly isStillGood: (() => Promise<boolean>) | undefined;
  /** Node's own request and response; absent when the app is called without a server. */
  readonly node:
    | { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse }
    | undefined;
}

/** A handler's answer: JSON with a status, or a response of its own for pages and streams. */
export type Reply<Body = unknown> =
  | {
      readonly status?: number;
      readonly json: Body;
      readonly target?: string;
      /** More about what was done, for the audit log. */
      readonly details?: AuditDetails;
      /**
       * `json` is an object that is given to others too and never changes: what it looks like on
       * the wire is made once and kept as long as the object. @default false
       */
      readonly isShared?: boolean;
    }
  | { readonly status: 204; readonly target?: string }
  | Response;

export interface RouteSpec<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Result extends z.ZodType,
> {
  readonly method: Method;
  /** Hono's notation: `/api/v1/tokens/:id`. */
  readonly path: string;
  /** One line for the API's description. */
  readonly summary: string;
  readonly access: Access;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** What the body looks like where the handler reads it by itself: described, and not checked here. */
  readonly ownBody?: z.ZodType;
  readonly responses: {
    /** The status of success. @default 200 */
    readonly status?: number;
    readonly description: string;
    /** What the JSON looks like; absent for pages, streams and empty answers. */
    readonly schema?: Result;
    /** @default application/json, nothing for status 204 */
    readonly contentType?: string;
    /** A second status of the same shape, for example 503 of a health check. */
    readonly otherStatus?: { readonly status: number; readonly description: string };
  };
  /** Errors of its own, besides those every route can give. */
  readonly errors?: readonly ErrorCode[];
  /** What the audit log calls it: `token.create`. Every route that changes something has one. */
  readonly action?: string;
  /** What the audit log says of a request besides its target. Never a secret. */
  auditDetails?(
    input: Pick<RouteInput<z.output<Params>, z.output<Query>, z.output<Body>>, "body">,
  ): AuditDetails;
  /**
   * It is open to all and changes something nevertheless: its handler asks for a token of its own
   * kind, one that opens nothing else. What it writes is the record of who wrote it. @default false
   */
  readonly ownToken?: boolean;
  /** Open to all, yet told who calls and what is wrong with the token. @default false */
  readonly asksWho?: boolean;
  /** A browser opens it directly; no part of the API and not in its description. */
  readonly page?: boolean;
  /** Stays open: refused to pages of other sites even though it changes nothing. */
  readonly stream?: boolean;
  handle(
    input: RouteInput<z.output<Params>, z.output<Query>, z.output<Body>>,
  ): Promise<Reply<z.input<Result>>> | Reply<z.input<Result>>;
}

/** A route of any kind, as the app keeps it. */
export type Route = RouteSpec<z.ZodType, z.ZodType, z.ZodType, z.ZodType>;

/** Declares a route; the handler's types follow from its schemas. */
export function defineRoute<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Result extends z.ZodType = z.ZodUndefined,
>(spec: RouteSpec<Params, Query, Body, Result>): Route {
  return spec;
}

/** True for methods that change something. */
export function changes(method: string): boolean {
  return method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
}

/** `POST /api/v1/tokens`, as errors and documents name a route. */
export function routeName(route: Pick<Route, "method" | "path">): string {
  return `${route.method} ${route.path}`;
}
