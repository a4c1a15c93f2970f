import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../../fixtures/slurm");

/** The releases whose real output is kept, oldest first. */
export const releases: readonly string[] = readdirSync(folder)
  .filter((name) => /^\d/.test(name))
  .toSorted();

/** Those that print JSON. */
export const releasesWithJson = releases.filter((release) => !release.startsWith("21."));

/** What a tool of that release printed about the same small cluster. */
export function captured(release: string, file: string): string {
  return readFileSync(join(folder, release, file), "utf8");
}
