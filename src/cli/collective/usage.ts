import type { TesseraError } from "../../platform/errors/index.ts";
import { usageError } from "../usage-error.ts";

/** An E_USAGE of `tessera collective`. */
export function collectiveUsage(problem: string): TesseraError {
  return usageError("collective", problem);
}
