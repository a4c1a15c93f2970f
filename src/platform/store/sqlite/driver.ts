import { createRequire } from "node:module";
import { TesseraError } from "../../errors/index.ts";

/**
 * Where libsql is installed. It is an optional package, and it is loaded only on the threads that
 * use it.
 *
 * @throws E_STORE_DRIVER when it is missing.
 */
export function findLibsql(shown: string): string {
  try {
    return createRequire(import.meta.url).resolve("libsql");
  } catch (cause) {
    throw new TesseraError("E_STORE_DRIVER", { store: shown, package: "libsql" }, { cause });
  }
}
