import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * The reason to skip a test that needs these programs, for its title; empty when all are here.
 * A machine may have Node and npm and nothing else.
 */
export function missing(...programs: readonly string[]): string {
  const absent = programs.filter((name) => !isOnPath(name));
  return absent.length === 0 ? "" : ` (skipped: no ${absent.join(", no ")} here)`;
}

function isOnPath(name: string): boolean {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
