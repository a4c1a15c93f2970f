const dayMs = 86_400_000;

/**
 * How long to wait before a run that decided nothing is repeated: `firstMs` after the first, twice as
 * long after each further one in a row, at most a day or `firstMs`.
 *
 * @param inARow at least 1.
 */
export function backOffMs(inARow: number, firstMs: number): number {
  return Math.min(Math.max(dayMs, firstMs), firstMs * 2 ** (inARow - 1));
}
