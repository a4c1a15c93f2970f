import type { Route } from "../../src/platform/http/index.ts";
import { code, table } from "./markdown.ts";

/** The reference part of docs/api.md: every route of the control plane. */
export function apiReference(routes: readonly Route[]): string {
  const rows = routes
    .filter(({ page }) => page !== true)
    .toSorted((one, other) => sortKey(one).localeCompare(sortKey(other), "en"))
    .map(({ method, path, access, ownToken, summary, action }) => [
      code(`${method} ${path}`),
      ownToken === true ? "its own" : access === "open" ? "none" : access,
      action === undefined ? "" : code(action),
      summary,
    ]);
  return table(["method and path", "role", "in the audit log", "what it does"], rows);
}

/** Paths in order, each with its reads first. */
function sortKey({ method, path }: Route): string {
  return `${path} ${method === "GET" ? 0 : 1} ${method}`;
}
