import { mkdir } from "node:fs/promises";
import { TesseraError } from "../errors/index.ts";
import { errorCodeOf, writeError } from "./file-problem.ts";

/**
 * Makes sure that a folder exists, with the folders above it. An existing folder is left as it is.
 *
 * @param options.mode for folders that are made, before the umask. @default 0o777
 * @throws TesseraError E_FILE_WRITE
 */
export async function ensureDir(
  path: string,
  options: { readonly mode?: number } = {},
): Promise<void> {
  try {
    await mkdir(path, { recursive: true, ...options });
  } catch (error) {
    if (errorCodeOf(error) !== "EEXIST") throw writeError(path, error);
    const problem = "a file of that name is in the way of the folder";
    throw new TesseraError("E_FILE_WRITE", { path, problem }, { cause: error });
  }
}
