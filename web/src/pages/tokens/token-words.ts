import type { TokenView } from "../../../../src/control/api/system.ts";

/** What each role may do, in words. */
export const roleTexts: Readonly<Record<TokenView["role"], string>> = {
  read: "read",
  operate: "operate: hold and test nodes, decide on baselines",
  inject: "inject: start experiments and faults",
  admin: "admin: everything, tokens too",
};

/** Whether a token is still taken. */
export function tokenState(
  token: Pick<TokenView, "expiresAt" | "revokedAt">,
  nowMs: number,
): "good" | "revoked" | "expired" {
  if (token.revokedAt !== null) return "revoked";
  if (token.expiresAt !== null && new Date(token.expiresAt).getTime() <= nowMs) return "expired";
  return "good";
}
