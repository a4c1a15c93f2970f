import type { Placement, Split } from "../layout/index.ts";
import type { Call } from "./call.ts";

/** The placements of the tensor, with others on the axes of the call. */
export function placed(
  { x, mesh, axes }: Call,
  placementOn: (axis: string) => Placement,
): readonly Placement[] {
  return x.layout.placements.map((placement, index) => {
    const axis = mesh.axes[index] ?? "";
    return axes.includes(axis) ? placementOn(axis) : placement;
  });
}

/**
 * The placements of the tensor with the axes of the call splitting one dimension, each the parts of
 * the one before it; other axes that split the dimension do so first.
 */
export function splitInnermost(
  call: Call,
  { dim, split }: { readonly dim: number; readonly split: Split },
): readonly Placement[] {
  const { x, mesh, axes } = call;
  const outer = x.layout
    .splitsOf(dim)
    .map(({ axis }) => mesh.axes[axis] ?? "")
    .filter((axis) => !axes.includes(axis));
  const order = [...outer, ...axes];
  return x.layout.placements.map((placement, index) => {
    const axis = mesh.axes[index] ?? "";
    if (axes.includes(axis)) return { kind: "shard", dim, split, order: order.indexOf(axis) };
    if (!outer.includes(axis)) return placement;
    return { ...placement, order: order.indexOf(axis) };
  });
}
