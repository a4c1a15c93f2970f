import assert from "node:assert/strict";
import type { TimeSplit } from "../time-split.ts";

/** Time on steps that stayed over all time since the start; what waited in a queue is not part of a run. */
export function ettrOf({ totalsUs, wallUs }: TimeSplit): number | null {
  return wallUs > 0 ? totalsUs.productive / wallUs : null;
}

/**
 * The worst of all windows of one length: what the share over a whole run hides. Null when the run was
 * shorter than a window.
 */
export function slidingEttrMin({ spans, wallUs }: TimeSplit, windowUs: number): number | null {
  assert(windowUs > 0, "a window has a length");
  if (wallUs < windowUs) return null;
  const productive = spans.filter(({ use }) => use === "productive");
  const until = productiveUntil(productive);
  // Between two such ends the share changes in a straight line: the least is at one of them.
  const ends = productive.flatMap(({ fromUs, toUs }) => [
    fromUs,
    toUs,
    fromUs + windowUs,
    toUs + windowUs,
  ]);
  const inside = [windowUs, wallUs, ...ends].filter((at) => at >= windowUs && at <= wallUs);
  return inside.reduce(
    (least, at) => Math.min(least, (until(at) - until(at - windowUs)) / windowUs),
    1,
  );
}

function productiveUntil(
  spans: readonly { readonly fromUs: number; readonly toUs: number }[],
): (atUs: number) => number {
  const before = new Float64Array(spans.length + 1);
  for (const [at, { fromUs, toUs }] of spans.entries()) {
    before[at + 1] = (before[at] ?? 0) + toUs - fromUs;
  }
  return (atUs) => {
    let low = 0;
    let high = spans.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((spans[middle]?.toUs ?? 0) <= atUs) low = middle + 1;
      else high = middle;
    }
    const within = Math.max(0, atUs - (spans[low]?.fromUs ?? atUs));
    return (before[low] ?? 0) + within;
  };
}
