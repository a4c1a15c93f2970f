import assert from "node:assert/strict";
import type { JobShape } from "./job-options.ts";
import type { Slot } from "./messages.ts";

export function ranksOf(shape: JobShape): number {
  return shape.dp * shape.pp * shape.tp;
}

/** Ranks are row-major over (dp, pp, tp): those of a replica lie side by side. */
export function replicaOf(rank: number, shape: JobShape): number {
  assert(rank >= 0 && rank < ranksOf(shape), "the rank is one of the shape");
  return Math.floor(rank / (shape.pp * shape.tp));
}

/** The largest number of replicas, at most `most`, that cut the batch into equal parts; 0: there is none. */
export function replicasThatDivide(
  most: number,
  batch: { readonly samples: number; readonly microBatches: number },
): number {
  for (let dp = most; dp >= 1; dp--) {
    if (batch.samples % (dp * batch.microBatches) === 0) return dp;
  }
  return 0;
}

/** The slots of each replica without a lost rank, in order. */
export function wholeReplicas(
  slots: readonly Slot[],
  shape: JobShape,
  lost: ReadonlySet<number>,
): readonly (readonly Slot[])[] {
  const size = shape.pp * shape.tp;
  const whole: (readonly Slot[])[] = [];
  for (let first = 0; first < shape.dp * size; first += size) {
    const ranks = Array.from({ length: size }, (_, at) => first + at);
    if (!ranks.some((rank) => lost.has(rank))) whole.push(slots.slice(first, first + size));
  }
  return whole;
}

/** The slots of the first `count` replicas without a lost rank, in order. */
export function slotsOfWholeReplicas(
  slots: readonly Slot[],
  shape: JobShape,
  options: { readonly lost: ReadonlySet<number>; readonly count: number },
): readonly Slot[] {
  const whole = wholeReplicas(slots, shape, options.lost);
  assert(whole.length >= options.count, "as many whole replicas are left as are wanted");
  return whole.slice(0, options.count).flat();
}
