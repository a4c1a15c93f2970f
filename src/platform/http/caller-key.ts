import { anonymous, type Caller } from "./auth/caller.ts";
import { addressKey } from "./caller-address.ts";

/** What a caller's share is counted by: the token, or the address of those without one. */
export function callerKey(caller: Caller, address: string): string {
  const { tokenId, name } = caller;
  return caller === anonymous ? `address ${addressKey(address)}` : `token ${tokenId ?? name}`;
}
