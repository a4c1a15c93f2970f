import { type Layout, type LayoutSpec, resolveLayout } from "../layout/index.ts";
import type { Mesh } from "../mesh/index.ts";

/**
 * The shape of the whole that locals add up to: along a dimension that mesh axes split, the sum of
 * the parts along those axes; elsewhere what rank 0 holds.
 */
export function inferShape(
  mesh: Mesh,
  spec: LayoutSpec | Layout | undefined,
  shapeOf: (rank: number) => readonly number[],
): readonly number[] {
  const own = shapeOf(0);
  const { placements } = resolveLayout(spec, { mesh, shape: own });
  return own.map((length, dim) => {
    const axes = mesh.axes.filter((_, axis) => {
      const placement = placements[axis];
      return placement?.kind === "shard" && placement.dim === dim;
    });
    if (axes.length === 0) return length;
    return mesh.groupOf(0, axes).reduce((sum, rank) => sum + (shapeOf(rank)[dim] ?? 0), 0);
  });
}
