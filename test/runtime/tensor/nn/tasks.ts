import { createRng } from "../../../../src/platform/rng/index.ts";
import { fromValues } from "../../../../src/runtime/tensor/create.ts";
import type { Batch } from "../../../../src/runtime/tensor/nn/index.ts";

/** Sequences in which each token follows from the one before, so that they can be learnt. */
export function sequences(o: {
  readonly batch: number;
  readonly positions: number;
  readonly vocabulary: number;
  readonly seed: number;
}): Batch {
  const random = createRng(o.seed).stream("sequences");
  const rows = Array.from({ length: o.batch }, () => {
    const row = [random.int(o.vocabulary)];
    while (row.length <= o.positions) row.push(((row.at(-1) as number) * 5 + 3) % o.vocabulary);
    return row;
  });
  return {
    inputs: fromValues(
      rows.map((row) => row.slice(0, -1)),
      { dtype: "i32" },
    ),
    targets: fromValues(
      rows.map((row) => row.slice(1)),
      { dtype: "i32" },
    ),
  };
}

/** Rows `start` to `stop` of a batch, with the normalizer of the whole. */
export function partOf(batch: Batch, start: number, stop: number): Batch {
  return {
    inputs: batch.inputs.slice([{ start, stop }]),
    targets: batch.targets.slice([{ start, stop }]),
    normalizer: batch.targets.size,
  };
}
