import { closest } from "../config/suggest.ts";
import { TesseraError } from "../errors/index.ts";
import type { Route } from "./route.ts";

const pathShownMax = 120;

/** The error for a request that no route takes: a wrong method, or a path there is nothing at. */
export function unmatchedError(
  request: { readonly method: string; readonly path: string },
  routes: readonly Route[],
): TesseraError {
  const path = cut(request.path);
  const allowed = routes
    .filter((route) => matches(route.path, request.path))
    .map((route) => route.method);
  if (allowed.length > 0) {
    const withHead = allowed.includes("GET") ? [...allowed, "HEAD"] : allowed;
    const unique = [...new Set<string>(withHead)].join(", ");
    return new TesseraError("E_METHOD_NOT_ALLOWED", {
      path,
      method: request.method,
      allowed: unique,
    });
  }
  const near = closest(request.path, new Set(routes.map((route) => route.path)));
  const suggestion =
    near === undefined
      ? "`GET /api/v1/openapi.json` lists every path there is."
      : `Did you mean ${near}? \`GET /api/v1/openapi.json\` lists every path there is.`;
  return new TesseraError("E_ROUTE_UNKNOWN", { path, suggestion });
}

/** True for a person who follows an old or mistyped address; programs and parts of pages want the problem. */
export function wantsPage(
  error: TesseraError,
  {
    method,
    path,
    accept,
  }: { readonly method: string; readonly path: string; readonly accept: string | undefined },
): boolean {
  return (
    error.code === "E_ROUTE_UNKNOWN" &&
    method === "GET" &&
    !/^\/(?:api|assets)(?:\/|$)/.test(path) &&
    /(?:^|,)\s*text\/html\s*(?:[;,]|$)/i.test(accept ?? "")
  );
}

/** True when a path fits a pattern; `:name` stands for one segment. */
function matches(pattern: string, path: string): boolean {
  const expected = pattern.split("/");
  const given = path.split("/");
  return (
    expected.length === given.length &&
    expected.every((part, index) =>
      part.startsWith(":") ? given[index] !== "" : part === given[index],
    )
  );
}

function cut(path: string): string {
  return path.length <= pathShownMax ? path : `${path.slice(0, pathShownMax)}...`;
}
