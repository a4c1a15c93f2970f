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

/** The slots of the first `count` replicas without a lost rank, in order. */
export function slotsOfWholeReplicas(
  slots: readonly Slot[],
  shape: JobShape,
  options: { readonly lost: ReadonlySet<number>; readonly count: number },
): readonly Slot[] {
  const size = shape.pp * shape.tp;
  const kept: Slot[] = [];
  for (let replica = 0; replica < shape.dp && kept.length < options.count * size; replica++) {
    const ranks = Array.from({ length: size }, (_, at) => replica * size + at);
    if (ranks.some((rank) => options.lost.has(rank))) continue;
    kept.push(...slots.slice(replica * size, (replica + 1) * size));
  }
  assert(kept.length === options.count * size, "as many whole replicas are left as are wanted");
  return kept;
}
