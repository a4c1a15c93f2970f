import { TesseraError } from "../../errors/index.ts";
import { changes, type Route, routeName } from "../route.ts";
import { type Authenticator, anonymous, type Caller } from "./caller.ts";
import { type Credential, parseAuthorization } from "./credential.ts";
import { roleAllows } from "./roles.ts";

/** Asks programs for a token; a page also lets the browser ask its user for one. */
function challengeOf(route: Route): string {
  return route.page === true ? 'Basic realm="Tessera: the password is a token"' : "Bearer";
}

/**
 * Who calls, if they may. Throws E_TOKEN_REQUIRED without a token, E_TOKEN_REFUSED for one that is
 * malformed, unknown, expired or revoked, E_ROLE_INSUFFICIENT for one that does not reach far enough.
 */
export async function authorize(
  route: Route,
  authorization: string | undefined,
  options: {
    readonly authenticator: Authenticator;
    readonly openReads: boolean;
    readonly secretCharsMax?: number;
  },
): Promise<Caller> {
  if (route.access === "open") return anonymous;
  const name = routeName(route);
  const challenge = challengeOf(route);
  if (authorization === undefined) {
    if (route.access === "read" && options.openReads) return anonymous;
    throw new TesseraError("E_TOKEN_REQUIRED", { route: name, role: route.access, challenge });
  }
  const problem = (what: string) =>
    new TesseraError("E_TOKEN_REFUSED", { problem: what, challenge });
  const credential = parseAuthorization(authorization, options.secretCharsMax);
  if (credential === undefined) throw problem("malformed");
  if (sentByItself(credential, route)) throw problem("a password, which only reads take");
  const caller = await options.authenticator.identify(credential.secret);
  if (typeof caller === "string") throw problem(caller);
  if (roleAllows(caller.role, route.access)) return caller;
  throw new TesseraError("E_ROLE_INSUFFICIENT", {
    route: name,
    needed: route.access,
    held: caller.role,
    token: caller.name,
  });
}

/** Browsers attach a password to requests nobody asked for; such a request must not change anything. */
function sentByItself(credential: Credential, route: Route): boolean {
  return credential.scheme === "basic" && changes(route.method);
}
