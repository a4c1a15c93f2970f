import { resolve } from "node:path";
import { TesseraError } from "../errors/index.ts";

/** Where a store is, as its URL says. `shown` is safe to print: it never holds a password. */
export type StoreLocation =
  | { readonly dialect: "sqlite"; readonly path: string; readonly shown: string }
  | { readonly dialect: "postgres"; readonly url: string; readonly shown: string };

/**
 * Reads a store URL: `sqlite:PATH` (relative paths start at the working directory) or
 * `postgres://` / `postgresql://` in any form libpq understands, socket folders included.
 *
 * @throws E_STORE_URL for anything else.
 */
export function parseStoreUrl(url: string): StoreLocation {
  const sqlite = /^sqlite:(?<path>.*)$/s.exec(url)?.groups?.["path"];
  if (sqlite !== undefined) {
    const path = resolve(sqlitePath(url, sqlite));
    return { dialect: "sqlite", path, shown: `sqlite:${path}` };
  }
  if (/^postgres(ql)?:\/\//.test(url)) {
    // An empty host is legal for libpq (a socket folder, or PGHOST) but not for the URL parser.
    if (!URL.canParse(url.replace("@/", "@localhost/"))) throw badUrl(url, "it is not a valid URL");
    return { dialect: "postgres", url, shown: hidePassword(url) };
  }
  throw badUrl(url, "it names no engine that Tessera knows");
}

/** A URL with its passwords replaced. Hides too much rather than too little. */
export function hidePassword(url: string): string {
  return url
    .replace(/^([a-z]+:\/\/[^:@/?#]*):.*@/is, "$1:***@")
    .replace(/((?:ssl)?password)=[^&#]*/gi, "$1=***");
}

function sqlitePath(url: string, written: string): string {
  const path = written.startsWith("///") ? written.slice(2) : written;
  if (path === "") throw badUrl(url, "it names no file");
  if (path.startsWith(":memory:")) throw badUrl(url, "a store in memory would forget everything");
  if (path.startsWith("//")) throw badUrl(url, "a SQLite file is on this machine, not on a host");
  if (path.startsWith("~")) throw badUrl(url, "~ is not expanded here, write the path in full");
  if (path.endsWith("/")) throw badUrl(url, "it names a folder, not a file");
  if (path.includes("\0")) throw badUrl(url, "a path cannot hold a NUL character");
  return path;
}

function badUrl(url: string, problem: string): TesseraError {
  return new TesseraError("E_STORE_URL", { url: hidePassword(url), problem });
}
