import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where the experiment files of this package lie: beside the program of a bundle, or beside its folder. */
export function findPresetsDir(program: string): string | undefined {
  const folder = dirname(program);
  return [join(folder, "presets"), join(folder, "..", "presets")].find(existsSync);
}
