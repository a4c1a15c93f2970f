/** A stretch of a timeline, in whole nanoseconds. */
export interface Span {
  readonly startNs: number;
  readonly endNs: number;
}

/**
 * Puts spans on as few lanes as it can, so that on each lane any two are apart or one lies inside
 * the other: the form a trace viewer can stack. Returns the lane of each span, from 0.
 */
export function assignLanes(spans: readonly Span[]): readonly number[] {
  const order = spans
    .map((span, at) => ({ ...span, at }))
    .toSorted((a, b) => a.startNs - b.startNs || b.endNs - a.endNs || a.at - b.at);
  const lanes = Array.from(spans, () => 0);
  /** For each lane, the ends of the spans that are open, outermost first. */
  const openEnds: number[][] = [];
  for (const { startNs, endNs, at } of order) {
    for (const ends of openEnds) {
      while ((ends.at(-1) ?? Number.POSITIVE_INFINITY) <= startNs) ends.pop();
    }
    const fitting = openEnds.findIndex(
      (ends) => endNs <= (ends.at(-1) ?? Number.POSITIVE_INFINITY),
    );
    const lane = fitting === -1 ? openEnds.push([]) - 1 : fitting;
    openEnds[lane]?.push(endNs);
    lanes[at] = lane;
  }
  return lanes;
}
