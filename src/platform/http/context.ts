import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
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
    errorCode: string | undefined;
  };
}

export type AppContext = Context<AppEnv>;
