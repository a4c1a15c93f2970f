import { randomBytes } from "node:crypto";
import { lstat, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Clock } from "../time/clock.ts";
import { errorCodeOf, readError, writeError } from "./file-problem.ts";

const tempPattern = /^\..*\.[0-9a-f]{24}\.tessera-tmp$/;
// Leaves room for the rest of the name within the 255 bytes a file name may have.
const nameBytesMax = 200;

/** A name beside `path` that nobody can guess and `removeLeftoverTemps` knows. */
export function tempPathFor(path: string): string {
  // Unpredictable, so that nobody can put a link in its place; no decision depends on it.
  const unique = randomBytes(12).toString("hex");
  const name = Buffer.from(basename(path)).subarray(0, nameBytesMax).toString("utf8");
  return join(dirname(path), `.${name.replaceAll("\uFFFD", "")}.${unique}.tessera-tmp`);
}

/** Whether a file's name is one that `tempPathFor` gives. */
export function isTempName(name: string): boolean {
  return tempPattern.test(name);
}

/**
 * Removes temporary files that writers who were killed have left in a folder. A folder that does
 * not exist has none.
 *
 * @param options.olderThanMs younger files may belong to a writer at work. @default one hour
 * @returns the names of the files removed, sorted.
 * @throws TesseraError E_FILE_READ when the folder cannot be listed, E_FILE_WRITE when a file in it
 * cannot be removed.
 */
export async function removeLeftoverTemps(
  folder: string,
  options: { readonly clock: Clock; readonly olderThanMs?: number },
): Promise<string[]> {
  const { clock, olderThanMs = 3_600_000 } = options;
  const removed: string[] = [];
  for (const name of await tempNamesIn(folder)) {
    const path = join(folder, name);
    try {
      const { mtimeMs } = await lstat(path);
      if (clock.nowMs() - mtimeMs < olderThanMs) continue;
      await rm(path);
      removed.push(name);
    } catch (error) {
      // Its writer finished, or another sweeper was faster.
      if (errorCodeOf(error) !== "ENOENT") throw writeError(path, error);
    }
  }
  return removed;
}

async function tempNamesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const temps = entries.filter((entry) => entry.isFile() && isTempName(entry.name));
    return temps.map((entry) => entry.name).toSorted();
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return [];
    throw readError(folder, error);
  }
}
