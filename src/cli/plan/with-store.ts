import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isTesseraError } from "../../platform/errors/index.ts";
import { openExistingStore, openStore, type Store } from "../../platform/store/index.ts";
import type { Invocation } from "../invocation.ts";

/**
 * Does something with the configured store, or with an empty one of its own where there is none yet:
 * who only asks must not leave a store behind.
 *
 * @throws whatever `openStore` throws.
 */
export async function withStoreOrNone<T>(
  invocation: Invocation,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const { clock } = invocation;
  const [{ values }, log] = await Promise.all([invocation.config(), invocation.log()]);
  const existing = await openExistingStore({ url: values.store.url, clock, log }).catch(
    (error: unknown) => {
      if (isTesseraError(error) && error.code === "E_STORE_MISSING") return undefined;
      throw error;
    },
  );
  if (existing !== undefined) return await usedAndClosed(existing, use);
  const folder = await mkdtemp(join(tmpdir(), "tessera-plan-"));
  try {
    const store = await openStore({ url: `sqlite:${join(folder, "empty.db")}`, clock });
    return await usedAndClosed(store, use);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function usedAndClosed<T>(store: Store, use: (store: Store) => Promise<T>): Promise<T> {
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
