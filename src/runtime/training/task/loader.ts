import assert from "node:assert/strict";
import { createPermutation } from "./permutation.ts";
import type { DataCursor, SampleId } from "./sample.ts";

/** The samples of a batch, in order, and where the next one begins. */
export interface TakenBatch {
  readonly ids: readonly SampleId[];
  readonly next: DataCursor;
}

/** Gives batches by where the cursor is, and by nothing else. */
export interface Loader {
  readonly start: DataCursor;
  /** The next `count` samples; those of the next epoch follow on the last of this one. */
  take(cursor: DataCursor, count: number): TakenBatch;
}

/**
 * A loader over `samples` samples, in another order each epoch. It knows nothing of ranks: they cut
 * the batch, so the samples of a run are the same for every world size.
 */
export function createLoader(o: { readonly samples: number; readonly seed: string }): Loader {
  const { samples } = o;
  let known: { key: string; order: (place: number) => number } | undefined;
  const orderOf = ({ epoch, seed }: DataCursor) => {
    const key = JSON.stringify([seed, epoch]);
    if (known?.key !== key) {
      known = { key, order: createPermutation({ count: samples, seed, epoch }) };
    }
    return known.order;
  };
  return {
    start: { epoch: 0, position: 0, seed: o.seed },
    take: (cursor, count) => {
      assert(Number.isInteger(count) && count >= 0, "a number of samples");
      assert(cursor.position >= 0 && cursor.position < samples, "a cursor within its epoch");
      const ids: SampleId[] = [];
      let { epoch, position } = cursor;
      const { seed } = cursor;
      while (ids.length < count) {
        const index = orderOf({ epoch, position, seed })(position);
        ids.push({ epoch, index });
        position++;
        if (position === samples) [epoch, position] = [epoch + 1, 0];
      }
      return { ids, next: { epoch, position, seed } };
    },
  };
}
