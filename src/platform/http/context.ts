import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { AuditDetails } from "./audit.ts";
import type { Caller } from "./auth/caller.ts";
import type { Route } from "./route.ts";

/** What travels with a request through the app. */
export interface AppEnv {
  readonly Bindings: Partial<HttpBindings>;
  readonly Variables: {
    requestId: string;
    /** Where the request comes from, as far as trusted proxies say. */
    address: string;
    /** The route that matched; unset for refused hosts and unknown paths. */
    route: Route | undefined;
    caller: Caller | undefined;
    /** What the route says of a request that it accepts. */
    auditDetails: AuditDetails | undefined;
    /** The audit log has it that it was begun, and is told how it ended. */
    isAuditBegun: boolean | undefined;
    errorCode: string | undefined;
  };
}

export type AppContext = Context<AppEnv>;
