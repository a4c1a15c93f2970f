import type { SessionView } from "../../../src/control/api/session.ts";

export type Role = NonNullable<SessionView["role"]>;

/** As the server orders them; each includes those before it. */
export const roles: readonly Role[] = ["read", "operate", "inject", "admin"];

/** Whether somebody may do what needs this role; nobody known may at most read. */
export function allows(
  view: Pick<SessionView, "role" | "readsNeedToken"> | undefined,
  role: Role,
): boolean {
  if (view === undefined) return false;
  if (view.role === null) return role === "read" && !view.readsNeedToken;
  return roles.indexOf(view.role) >= roles.indexOf(role);
}
