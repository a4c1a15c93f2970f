/** How much may be under way at the same time. */
export interface Bounds<Item> {
  readonly bytesOf: (item: Item) => number;
  /** One item that is larger than this still runs, alone. */
  readonly bytesMax: number;
  readonly itemsMax: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls `work` for every item in order, as many at the same time as the bounds allow. After a failure
 * nothing new starts, and the call rejects once all that was under way has settled.
 *
 * @throws the first failure; the signal's reason when that aborts.
 */
export async function inBounds<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
  { bytesOf, bytesMax, itemsMax, signal }: Bounds<Item>,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let bytesUnderWay = 0;
  const isFull = (bytes: number) =>
    underWay.size > 0 && (underWay.size >= itemsMax || bytesUnderWay + bytes > bytesMax);
  for (const item of items) {
    const bytes = bytesOf(item);
    while (isFull(bytes)) await Promise.race(underWay);
    if (failures.length > 0 || signal?.aborted === true) break;
    bytesUnderWay += bytes;
    const running = work(item)
      .catch((error: unknown) => {
        failures.push(error);
      })
      .finally(() => {
        bytesUnderWay -= bytes;
        underWay.delete(running);
      });
    underWay.add(running);
  }
  await Promise.all(underWay);
  if (failures.length > 0) throw failures[0];
  signal?.throwIfAborted();
}
