import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Where a program is: in the folder told, else the first on PATH; undefined when nowhere. */
export function findProgram(
  name: string,
  where: { readonly bin: string | undefined; readonly path: string | undefined },
): string | undefined {
  // The folder told is meant: one that is not there must not be replaced by another Slurm's.
  if (where.bin !== undefined) return join(where.bin, name);
  const folders = (where.path ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
