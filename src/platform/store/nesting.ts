import { AsyncLocalStorage } from "node:async_hooks";

const current = new AsyncLocalStorage<{ open: boolean }>();

/** Runs `fn` as the body of a transaction, so that a second one inside it is noticed. */
export async function asTransactionBody<T>(fn: () => Promise<T>): Promise<T> {
  const body = { open: true };
  try {
    return await current.run(body, fn);
  } finally {
    // What the body started and left behind may use the store again.
    body.open = false;
  }
}

/**
 * Throws when called from inside a transaction: the write would wait for the transaction to end,
 * and the transaction for the write.
 */
export function refuseNested(): void {
  if (current.getStore()?.open === true) {
    throw new Error("Inside a transaction use its `trx`: a write beside it would wait for ever.");
  }
}
