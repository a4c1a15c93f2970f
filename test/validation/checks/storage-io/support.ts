import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Where it lies. */
export const capturedFolder = join(import.meta.dirname, "..", "..", "..", "fixtures", "storage-io");

/** What a real fio 3.33 wrote once. */
export function captured(name: string): string {
  return readFileSync(join(capturedFolder, name), "utf8");
}
