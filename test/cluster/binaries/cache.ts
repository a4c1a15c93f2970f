import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Part } from "./parts.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where built programs are kept: `TESSERA_CACHE`, else the user's cache folder. */
export function cacheFolder(env: Environment = process.env): string {
  const own = env["TESSERA_CACHE"];
  if (own !== undefined && own !== "") return join(own, "test-cluster");
  const xdg = env["XDG_CACHE_HOME"];
  const base = xdg === undefined || xdg === "" ? join(homedir(), ".cache") : xdg;
  return join(base, "tessera", "test-cluster");
}

/** The folder of one part; it appears only when its build is complete. */
export function partFolder(part: Part, env: Environment = process.env): string {
  const key = `${part.id}-${part.version}-${process.platform}-${process.arch}`;
  return join(cacheFolder(env), key);
}

/** True when a part has been built. */
export function isBuilt(part: Part, env: Environment = process.env): boolean {
  return existsSync(partFolder(part, env));
}

/** Where a part's own manifests (Volcano's CRDs) are kept. */
export function crdFolder(part: Part, env: Environment = process.env): string {
  return join(partFolder(part, env), "crds");
}
