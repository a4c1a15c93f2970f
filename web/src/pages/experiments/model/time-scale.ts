/** A stretch of a run's time, in seconds. */
export interface TimeRange {
  readonly fromS: number;
  readonly toS: number;
}

/** Where a moment lies, as a share of the width; outside of the range below 0 or above 1. */
export function shareOf({ fromS, toS }: TimeRange, atS: number): number {
  return toS > fromS ? (atS - fromS) / (toS - fromS) : 0;
}

/** The moment at a share of the width. */
export function momentAt({ fromS, toS }: TimeRange, share: number): number {
  return fromS + Math.min(1, Math.max(0, share)) * (toS - fromS);
}

/** What a span covers of the range, as shares; undefined when it lies outside. */
export function visiblePart(
  range: TimeRange,
  span: TimeRange,
): { readonly left: number; readonly width: number } | undefined {
  if (span.toS < range.fromS || span.fromS > range.toS) return undefined;
  const left = Math.max(0, shareOf(range, span.fromS));
  const right = Math.min(1, shareOf(range, span.toS));
  return { left, width: Math.max(0, right - left) };
}

/** A range dragged out by hand; undefined when it was more of a click. */
export function draggedRange(range: TimeRange, a: number, b: number): TimeRange | undefined {
  const leastShare = 0.01;
  if (Math.abs(a - b) < leastShare) return undefined;
  return { fromS: momentAt(range, Math.min(a, b)), toS: momentAt(range, Math.max(a, b)) };
}
