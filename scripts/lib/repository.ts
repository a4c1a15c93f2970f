import { join, resolve } from "node:path";

/** The root of this repository. */
export const root = resolve(import.meta.dirname, "..", "..");

/** The path of a file of a development tool in node_modules. */
export function tool(...path: readonly string[]): string {
  return join(root, "node_modules", ...path);
}
