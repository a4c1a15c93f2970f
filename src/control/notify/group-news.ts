/** News that is not part of a message yet. */
export interface WaitingNews {
  readonly seq: number;
  readonly id: string;
}

export const groupWindowMs = 60_000;
/** A message lists no more than this; further news waits for the next. */
export const newsPerMessageMax = 200;

/**
 * Which news makes a message together. A few are told one by one; a storm becomes a list, so that the
 * first failure is told at once and the hundredth drowns nobody. No minute has more than `groupOver`
 * messages and one.
 */
export function groupNews(
  waiting: readonly WaitingNews[],
  options: {
    /** When messages of the last minute were made. */
    readonly recentMs: readonly number[];
    readonly groupOver: number;
    readonly nowMs: number;
  },
): readonly (readonly WaitingNews[])[] {
  const { groupOver, nowMs } = options;
  const recent = options.recentMs.filter((madeAtMs) => nowMs - madeAtMs < groupWindowMs).length;
  if (recent + waiting.length <= groupOver) return waiting.map((news) => [news]);
  // The list of this minute has gone out; what comes now collects for the next.
  if (recent > groupOver) return [];
  return [waiting.slice(0, newsPerMessageMax)];
}
