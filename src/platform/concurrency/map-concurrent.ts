import assert from "node:assert/strict";

export interface MapConcurrentOptions {
  /** Stops the work: no new item starts, and the signal of those under way aborts. */
  readonly signal?: AbortSignal;
}

/**
 * Calls `work` for every item, at most `limit` at the same time, and returns the results in the
 * order of the items. After the first failure no new item starts and the signal of the others
 * aborts; the call rejects once all of them have settled, so nothing runs on behind its back.
 *
 * @throws the first failure; the outer signal's reason when that aborted first.
 */
export async function mapConcurrent<Item, Result>(
  items: Iterable<Item>,
  limit: number,
  work: (
    item: Item,
    context: { readonly index: number; readonly signal: AbortSignal },
  ) => Promise<Result>,
  options: MapConcurrentOptions = {},
): Promise<Result[]> {
  assert(Number.isSafeInteger(limit) && limit >= 1, "limit is at least 1");
  const { signal: outer } = options;
  outer?.throwIfAborted();
  const inner = new AbortController();
  const onOuterAbort = () => inner.abort(outer?.reason);
  outer?.addEventListener("abort", onOuterAbort, { once: true });

  const all = Array.from(items);
  const entries = all.entries();
  const results: Result[] = [];
  const worker = async () => {
    // The workers share one iterator: each item is taken once, by whoever is free.
    for (const [index, item] of entries) {
      if (inner.signal.aborted) return;
      try {
        results[index] = await work(item, { index, signal: inner.signal });
      } catch (error) {
        // Only the first reason counts; later calls of abort change nothing.
        inner.abort(error);
        return;
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(limit, all.length) }, worker));
  } finally {
    outer?.removeEventListener("abort", onOuterAbort);
  }
  inner.signal.throwIfAborted();
  return results;
}
