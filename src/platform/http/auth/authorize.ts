import { TesseraError } from "../../errors/index.ts";
import { type Route, routeName } from "../route.ts";
import { type Authenticator, anonymous, type Caller } from "./caller.ts";
import { parseBearer } from "./credential.ts";
import { roleAllows } from "./roles.ts";

/** Who calls, and what became of the token that came with the call. */
export interface Identity {
  readonly caller: Caller;
  readonly token: TokenFound;
  /** They may read what is not open to all. */
  readonly mayRead: boolean;
}

/** `none` came, it is `good`, or what is wrong with it, as the end of "the token is ...". */
export type TokenFound = "none" | "good" | { readonly problem: string };

export interface AuthorizeOptions {
  readonly authenticator: Authenticator;
  readonly openReads: boolean;
  readonly secretCharsMax?: number;
}

/**
 * Who calls, if they may. Throws E_TOKEN_REQUIRED without a token, E_TOKEN_REFUSED for one that is
 * malformed, unknown, expired or revoked, E_ROLE_INSUFFICIENT for one that does not reach far enough.
 */
export async function authorize(
  route: Route,
  authorization: string | undefined,
  options: AuthorizeOptions,
): Promise<Identity> {
  if (route.access === "open") {
    return await identify(route.asksWho === true ? authorization : undefined, options);
  }
  const name = routeName(route);
  if (authorization === undefined) {
    if (route.access === "read" && options.openReads) return nobody(options);
    throw new TesseraError("E_TOKEN_REQUIRED", { route: name, role: route.access });
  }
  const identity = await identify(authorization, options);
  const { caller, token } = identity;
  if (typeof token === "object") throw new TesseraError("E_TOKEN_REFUSED", token);
  if (roleAllows(caller.role, route.access)) return identity;
  throw new TesseraError("E_ROLE_INSUFFICIENT", {
    route: name,
    needed: route.access,
    held: caller.role,
    token: caller.name,
  });
}

function nobody({ openReads }: AuthorizeOptions): Identity {
  return { caller: anonymous, token: "none", mayRead: openReads };
}

async function identify(
  authorization: string | undefined,
  options: AuthorizeOptions,
): Promise<Identity> {
  if (authorization === undefined) return nobody(options);
  const { authenticator, secretCharsMax } = options;
  const secret = parseBearer(authorization, secretCharsMax);
  const found = secret === undefined ? "malformed" : await authenticator.identify(secret);
  return typeof found === "string"
    ? { caller: anonymous, token: { problem: found }, mayRead: false }
    : { caller: found, token: "good", mayRead: true };
}
