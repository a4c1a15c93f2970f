import { openExistingStore, type Store } from "../platform/store/index.ts";
import { type History, openHistory } from "../validation/history/index.ts";
import type { Invocation } from "./invocation.ts";

/** The configured store and the history in it. */
export interface OpenedStore {
  readonly store: Store;
  readonly history: History;
}

/**
 * Does something with the store the configuration names, which must be there already: a command that
 * only looks must not leave an empty one behind. Closes it afterwards.
 *
 * @throws E_STORE_MISSING, and whatever `openStore` throws.
 */
export async function withExistingStore<T>(
  invocation: Invocation,
  use: (opened: OpenedStore) => Promise<T>,
): Promise<T> {
  const [{ values }, log] = await Promise.all([invocation.config(), invocation.log()]);
  const store = await openExistingStore({ url: values.store.url, clock: invocation.clock, log });
  try {
    return await use({ store, history: openHistory(store) });
  } finally {
    await store.close();
  }
}
