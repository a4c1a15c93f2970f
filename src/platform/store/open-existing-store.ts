import { access } from "node:fs/promises";
import { TesseraError } from "../errors/index.ts";
import { openStore, type StoreOptions } from "./open-store.ts";
import type { Store } from "./store.ts";
import { parseStoreUrl } from "./url.ts";

/**
 * Opens a store that is there, for those who only read: asking a question must not leave a file
 * behind.
 *
 * @throws E_STORE_MISSING, and whatever `openStore` throws.
 */
export async function openExistingStore(options: StoreOptions): Promise<Store> {
  const location = parseStoreUrl(options.url);
  if (location.dialect === "sqlite" && !(await exists(location.path))) {
    throw new TesseraError("E_STORE_MISSING", { store: location.shown });
  }
  return await openStore(options);
}

/** Only a file that is certainly not there counts as missing: one we may not see is an error later. */
async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== "ENOENT" && code !== "ENOTDIR";
  }
}
