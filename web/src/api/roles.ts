import type { SessionView } from "../../../src/control/api/session.ts";

export type Role = NonNullable<SessionView["role"]>;

/** As the server orders them; each includes those before it. */
export const roles: readonly Role[] = ["read", "operate", "inject", "admin"];

/**
 * Whether somebody may do what needs this role; nobody known may at most read. With a token that is not
 * good the server refuses everything, also what needs none.
 */
export function allows(
  view: Pick<SessionView, "role" | "readsNeedToken" | "tokenProblem"> | undefined,
  role: Role,
): boolean {
  if (view === undefined || view.tokenProblem !== null) return false;
  if (view.role === null) return role === "read" && !view.readsNeedToken;
  return roles.indexOf(view.role) >= roles.indexOf(role);
}
