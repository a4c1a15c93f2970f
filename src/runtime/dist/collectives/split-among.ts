import type { Block } from "../array/index.ts";
import type { DimSlice, Split } from "../layout/index.ts";
import { composeSlices, splitPart } from "../layout/split.ts";
import type { Call } from "./call.ts";

export interface SplitAmong {
  readonly dim: number;
  readonly split: Split;
  /** What is split, by rank: the ranks of a group have the same or equally long blocks. */
  readonly blockOf: (rank: number) => Block;
}

/** The part of its block that each rank gets when a group splits a dimension among its members. */
export function splitAmong(
  call: Call,
  { dim, split, blockOf }: SplitAmong,
): (rank: number) => Block {
  return (rank) => {
    const block = blockOf(rank);
    return block.slice(
      slicesAlong(block.shape, dim, partOf(call, { rank, split, length: block.shape[dim] ?? 0 })),
    );
  };
}

/** The part of a length that falls to a rank: the first axis splits it, the next its parts. */
export function partOf(
  { mesh, axes }: Pick<Call, "mesh" | "axes">,
  {
    rank,
    split,
    length,
  }: { readonly rank: number; readonly split: Split; readonly length: number },
): DimSlice {
  const coordinates = mesh.coordinatesOf(rank);
  return axes.reduce<DimSlice>(
    (slice, axis) => {
      const index = coordinates[mesh.axisIndex(axis)] ?? 0;
      const parts = mesh.axisSize(axis);
      return composeSlices(slice, splitPart({ length: slice.count, parts, index, how: { split } }));
    },
    { start: 0, step: 1, count: length },
  );
}

/** Everything of a shape, but for one dimension. */
export function slicesAlong(shape: readonly number[], dim: number, slice: DimSlice): DimSlice[] {
  return shape.map((count, at) => (at === dim ? slice : { start: 0, step: 1, count }));
}
