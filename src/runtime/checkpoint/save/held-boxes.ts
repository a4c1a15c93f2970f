import { type Layout, localSlices } from "../../dist/layout/index.ts";
import type { DimSlice } from "../../dist/layout/split.ts";
import type { Mesh } from "../../dist/mesh/index.ts";

/** Elements of the whole, and the writers that hold them. */
export interface HeldBox {
  readonly slices: readonly DimSlice[];
  readonly ranks: readonly number[];
}

/** The distinct boxes of a tensor on a mesh, none empty, each with all ranks that hold it. */
export function boxesOnMesh(
  layout: Layout,
  { mesh, shape }: { readonly mesh: Mesh; readonly shape: readonly number[] },
): readonly HeldBox[] {
  const boxes = new Map<string, { slices: DimSlice[]; ranks: number[] }>();
  for (const rank of mesh.devices.keys()) {
    const slices = localSlices(layout, { mesh, shape, rank }).map(normal);
    if (slices.some(({ count }) => count === 0)) continue;
    const key = slices.map(({ start }) => start).join(",");
    const box = boxes.get(key) ?? { slices, ranks: [] };
    boxes.set(key, box);
    box.ranks.push(rank);
  }
  return [...boxes.values()];
}

/** The one box of a tensor that every writer has whole; none of a tensor without elements. */
export function boxesOfAll(shape: readonly number[], writers: number): readonly HeldBox[] {
  if (shape.includes(0)) return [];
  const ranks = Array.from({ length: writers }, (_, rank) => rank);
  return [{ slices: shape.map((count) => ({ start: 0, step: 1, count })), ranks }];
}

/** Of one index, any step would say the same. */
function normal(slice: DimSlice): DimSlice {
  return slice.count === 1 ? { ...slice, step: 1 } : slice;
}
