import type { Mesh } from "../mesh/index.ts";
import type { Layout } from "./layout.ts";
import { composeSlices, type DimSlice, splitPart } from "./split.ts";

/** Which device's part of which tensor. */
export interface LocalQuestion {
  readonly mesh: Mesh;
  /** The whole tensor's shape. */
  readonly shape: readonly number[];
  readonly rank: number;
}

/**
 * The elements a rank holds, one slice per dimension. Where several mesh axes split a dimension,
 * each splits what the one before left, by its real length. An empty part starts at the
 * dimension's length.
 *
 * @throws E_MESH_RANK
 */
export function localSlices(layout: Layout, { mesh, shape, rank }: LocalQuestion): DimSlice[] {
  const coordinates = mesh.coordinatesOf(rank);
  return shape.map((length, dim) => sliceAt(layout, { mesh, length, dim, coordinates }));
}

/** The shape of the part a rank holds. @throws E_MESH_RANK */
export function localShape(layout: Layout, question: LocalQuestion): number[] {
  return localSlices(layout, question).map((slice) => slice.count);
}

/** One dimension's slice at these coordinates; only those of the axes that split it count. */
export function sliceAt(
  layout: Layout,
  at: {
    readonly mesh: Mesh;
    readonly length: number;
    readonly dim: number;
    readonly coordinates: readonly number[];
  },
): DimSlice {
  let slice: DimSlice = { start: 0, step: 1, count: at.length };
  for (const { axis, how } of layout.splitsOf(at.dim)) {
    const part = splitPart({
      length: slice.count,
      parts: at.mesh.shape[axis] ?? 1,
      index: at.coordinates[axis] ?? 0,
      how,
    });
    slice = composeSlices(slice, part);
  }
  return slice.count === 0 ? { start: at.length, step: 1, count: 0 } : slice;
}
