import { type Block, DistTensor } from "../../dist/array/index.ts";
import { type DimSlice, Layout, localSlices, type Placement } from "../../dist/layout/index.ts";
import { samePlacement } from "../../dist/layout/layout.ts";

/**
 * The tensor with these placements, when that takes no communication: where an axis replicates the
 * tensor, every device can keep its part. Undefined when bytes would have to move.
 */
export function alignedTo(x: DistTensor, placements: readonly Placement[]): DistTensor | undefined {
  const { mesh, shape, dtype } = x;
  const layout = new Layout(mesh.axes, placements);
  if (layout.equals(x.layout)) return x;
  const canSlice = layout.placements.every((placement, axis) => {
    const own = x.layout.placements[axis];
    return (
      samePlacement(placement, own) || (own?.kind === "replicate" && placement.kind === "shard")
    );
  });
  // A dimension that is split already could be split further only in the order of its axes.
  const isFree = [...shape.keys()].every(
    (dim) =>
      x.layout.splitsOf(dim).length === 0 ||
      x.layout.splitsOf(dim).length === layout.splitsOf(dim).length,
  );
  if (!canSlice || !isFree) return undefined;
  const known = new Map<Block, Map<string, Block>>();
  const blockOf = (rank: number) => {
    const block = x.block(rank);
    const wanted = localSlices(layout, { mesh, shape, rank });
    const slices = wanted.map((slice, dim): DimSlice => {
      const isSplit = x.layout.splitsOf(dim).length > 0;
      return isSplit ? { start: 0, step: 1, count: slice.count } : slice;
    });
    const parts = known.get(block) ?? new Map<string, Block>();
    const key = JSON.stringify(slices);
    const part = parts.get(key) ?? block.slice(slices);
    known.set(block, parts.set(key, part));
    return part;
  };
  return new DistTensor({ mesh, layout, dtype, shape, blocks: blockOf });
}
