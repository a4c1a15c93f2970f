import { anonymous, type Caller } from "./auth/caller.ts";
import type { AppContext } from "./context.ts";

/** Where a request comes from. */
export function addressOf(c: Pick<AppContext, "env">): string {
  return c.env.incoming?.socket.remoteAddress ?? "unknown";
}

/** What a caller's share is counted by: the token, or the address of those without one. */
export function callerKey(caller: Caller, address: string): string {
  const { tokenId, name } = caller;
  return caller === anonymous ? `address ${address}` : `token ${tokenId ?? name}`;
}
