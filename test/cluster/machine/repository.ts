import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The root of this repository. Found by walking up, because the tool runs both from its sources
 * (in vitest) and bundled (by scripts/ts.mjs).
 */
export function repositoryRoot(from = import.meta.dirname): string {
  let folder = from;
  while (!existsSync(join(folder, "vitest.config.ts"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`no repository above ${from}`);
    folder = parent;
  }
  return folder;
}
