import { AssembledBlock, type Piece } from "../array/assembled-block.ts";
import { identityOf } from "../array/block.ts";
import type { Block } from "../array/index.ts";
import type { DimSlice, Layout, Placement } from "../layout/index.ts";
import { localSlices, resolveLayout } from "../layout/index.ts";
import { badCall, type Call } from "./call.ts";
import { placed } from "./placed.ts";
import { slicesAlong } from "./split-among.ts";

/** The axes of the call that split a dimension; of one dimension, if it is given. */
export function splittingAxes({ x, mesh, axes }: Call, dim?: number): readonly string[] {
  return axes.filter((axis) => {
    const placement = x.layout.placements[mesh.axisIndex(axis)];
    return placement?.kind === "shard" && (dim === undefined || placement.dim === dim);
  });
}

/** What a rank has once the parts along some axes are put together. */
export interface Gathered {
  readonly placements: readonly Placement[];
  readonly blockOf: (rank: number) => Block;
}

/**
 * Puts the parts along axes that split dimensions together, each element at its place in the whole.
 *
 * @throws E_COLLECTIVE when another axis splits the parts of one of these axes further: what would
 *   come of it is no part that a layout knows.
 */
export function gatherParts(call: Call, along: readonly string[]): Gathered {
  const { x, mesh } = call;
  const { shape, dtype } = x;
  refuseOuter(call, along);
  const placements = placed({ ...call, axes: along }, () => ({ kind: "replicate" }));
  const layout = resolveLayout(placements, { mesh, shape });
  const known = new Map<string, Block>();
  const byGroup = new Map<readonly number[], Block>();
  const groupOf = groupFinder(mesh.groups(along));
  return {
    placements,
    blockOf: (rank) => {
      const group = groupOf(rank);
      const blocks = group.map(call.contribution);
      const key = identityOf(blocks);
      const block =
        byGroup.get(group) ??
        known.get(key) ??
        new AssembledBlock({
          dtype,
          shape: localSlices(layout, { mesh, shape, rank }).map(({ count }) => count),
          pieces: () =>
            group.map((member, at) =>
              pieceOf(call, { layout, member, block: blocks[at] as Block }),
            ),
        });
      known.set(key, block);
      byGroup.set(group, block);
      return block;
    },
  };
}

function pieceOf(
  { x, mesh }: Call,
  { layout, member, block }: { layout: Layout; member: number; block: Block },
): Piece {
  const { shape } = x;
  const target = localSlices(layout, { mesh, shape, rank: member });
  const slices = localSlices(x.layout, { mesh, shape, rank: member }).map((own, dim) => {
    const whole = target[dim] as DimSlice;
    const start = (own.start - whole.start) / whole.step;
    return { start, step: own.step / whole.step, count: own.count };
  });
  return { block, slices };
}

/** Only the innermost splits of a dimension can be undone by themselves. */
function refuseOuter({ op, x, mesh }: Call, along: readonly string[]): void {
  for (const dim of x.shape.keys()) {
    const splits = x.layout.splitsOf(dim).map(({ axis }) => mesh.axes[axis] ?? "");
    const first = splits.findIndex((axis) => along.includes(axis));
    const inner =
      first === -1 ? undefined : splits.slice(first).find((axis) => !along.includes(axis));
    if (inner === undefined) continue;
    throw badCall(
      op,
      `dimension ${dim} is split over ${splits.join(", then ")}, and without ${splits[first]} the parts of ${inner} are no longer in one place`,
      `Include ${inner}, or use x.redistribute(…), which moves what has to be moved.`,
    );
  }
}

/** What one member of a group adds when everything is put one after the other. */
export interface Contribution {
  readonly block: Block;
  /** The indices of one dimension to take of it. Default: all of the block. */
  readonly part?: { readonly dim: number; readonly slice: DimSlice };
}

/** Puts contributions one after the other along a dimension. Nothing is cut before it is read. */
export function concatenate(
  { x }: Pick<Call, "x">,
  contributions: readonly Contribution[],
  dim: number,
): Block {
  const shapes = contributions.map(({ block, part }) =>
    part === undefined ? block.shape : block.shape.with(part.dim, part.slice.count),
  );
  const lengths = shapes.map((shape) => shape[dim] ?? 0);
  const length = lengths.reduce((sum, count) => sum + count, 0);
  const pieces = () => {
    let start = 0;
    return contributions.map(({ block, part }, at): Piece => {
      const count = lengths[at] ?? 0;
      const slices = slicesAlong(shapes[at] ?? [], dim, { start, step: 1, count });
      start += count;
      if (part === undefined) return { block, slices };
      return { block: block.slice(slicesAlong(block.shape, part.dim, part.slice)), slices };
    });
  };
  const shape = (shapes[0] ?? []).with(dim, length);
  return new AssembledBlock({ dtype: x.dtype, shape, pieces });
}

/** The group that a rank is in. */
export function groupFinder(
  groups: readonly (readonly number[])[],
): (rank: number) => readonly number[] {
  const byRank = new Map<number, readonly number[]>();
  for (const group of groups) for (const rank of group) byRank.set(rank, group);
  return (rank) => byRank.get(rank) ?? [];
}
