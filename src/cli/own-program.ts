import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The file that starts this CLI: this one when everything is bundled, else the one beside it. */
export function ownProgram(): string {
  // Written with brackets because the build for development replaces the usual spelling by the
  // place of the source, and we need the file that runs.
  const here = fileURLToPath(import.meta["url"]);
  const extension = extname(here);
  const isUnbundled = basename(here) === `own-program${extension}`;
  return isUnbundled ? join(dirname(here), `main${extension}`) : here;
}
