/**
 * Lets everything that is already resolved run, chains of promises included, and gives others a turn:
 * takes no time of any clock.
 */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
