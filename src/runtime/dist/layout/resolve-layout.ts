import { didYouMean } from "../../../platform/config/index.ts";
import { TesseraError } from "../../../platform/errors/index.ts";
import { type ReduceOp, reduceOps } from "../../tensor/reduce/types.ts";
import { sizeOf } from "../../tensor/shape.ts";
import type { Mesh } from "../mesh/index.ts";
import { badDim, findDim } from "./find-dim.ts";
import { Layout } from "./layout.ts";
import type { LayoutSpec, PartialSpec, ShardSpec } from "./layout-spec.ts";
import { type Placement, type ShardPlacement, splits } from "./placement.ts";

/** The mesh and the tensor's shape that a layout is for. */
export interface LayoutTarget {
  readonly mesh: Mesh;
  readonly shape: readonly number[];
}

/**
 * The layout of a tensor on a mesh, checked: one placement per mesh axis, dimensions from 0.
 * Undefined stands for replicate; a layout made for another mesh is checked against this one.
 *
 * @throws E_SHAPE for an impossible shape, E_MESH_AXIS for an axis the mesh has not, E_LAYOUT_AXIS
 *   for one used twice, E_LAYOUT_DIM, E_LAYOUT_LENGTH, E_LAYOUT_SPLIT and E_LAYOUT_REDUCE.
 */
export function resolveLayout(spec: LayoutSpec | Layout | undefined, target: LayoutTarget): Layout {
  sizeOf(target.shape, "layout");
  const placements = placementsOf(spec, target);
  checkPartials(placements);
  return new Layout(target.mesh.axes, placements);
}

function placementsOf(
  spec: LayoutSpec | Layout | undefined,
  target: LayoutTarget,
): readonly Placement[] {
  if (spec === undefined) return target.mesh.axes.map(() => ({ kind: "replicate" }));
  if (spec instanceof Layout) return checkPlacements(spec.placements, target);
  if (isList(spec)) return checkPlacements(spec, target);
  if (spec?.kind === "shard-spec") return shardPlacements(spec, target);
  const placements = target.mesh.axes.map((): Placement => ({ kind: "replicate" }));
  if (spec?.kind === "partial") placePartial(placements, spec, target.mesh);
  else if (spec?.kind !== "replicate") throw noLayout(spec);
  return placements;
}

function checkPlacements(
  placements: readonly Placement[],
  { mesh, shape }: LayoutTarget,
): readonly Placement[] {
  if (placements.length !== mesh.axes.length) {
    const problem = `there are ${placements.length} placements for ${mesh.axes.length} mesh axes`;
    throw new TesseraError("E_LAYOUT_LENGTH", { problem });
  }
  return placements.map((placement) => {
    if (placement?.kind === "replicate") return { kind: "replicate" };
    if (placement?.kind === "partial") return { kind: "partial", op: placement.op };
    if (placement?.kind !== "shard") throw noLayout(placement);
    checkSplit(placement);
    return { ...placement, dim: findDim(placement.dim, shape) };
  });
}

function shardPlacements(spec: ShardSpec, { mesh, shape }: LayoutTarget): readonly Placement[] {
  const placements = mesh.axes.map((): Placement => ({ kind: "replicate" }));
  const taken = new Set<number>();
  for (const { dim: name, axes, split, block } of spec.shards) {
    const dim = findDim(name, shape, spec.dimNames);
    if (taken.has(dim)) {
      throw badDim(
        name,
        shape,
        'it is named twice; give its mesh axes as one list, [["tp", "pp"]]',
      );
    }
    taken.add(dim);
    checkSplit({ split, block });
    for (const [order, axis] of axes.entries()) {
      const blocks = block === undefined ? {} : { block };
      place(placements, mesh, axis, { kind: "shard", dim, split, order, ...blocks });
    }
  }
  if (spec.partial !== undefined) placePartial(placements, spec.partial, mesh);
  return placements;
}

function placePartial(placements: Placement[], { op, axes }: PartialSpec, mesh: Mesh): void {
  for (const axis of axes ?? mesh.axes) place(placements, mesh, axis, { kind: "partial", op });
}

function place(placements: Placement[], mesh: Mesh, axis: string, placement: Placement): void {
  const index = mesh.axisIndex(axis);
  if (placements[index]?.kind !== "replicate") {
    throw new TesseraError("E_LAYOUT_AXIS", { axis });
  }
  placements[index] = placement;
}

function checkSplit({
  split,
  block,
}: Pick<ShardPlacement, "split"> & { readonly block?: number | undefined }): void {
  const refuse = (problem: string): never => {
    throw new TesseraError("E_LAYOUT_SPLIT", { problem });
  };
  if (!splits.includes(split)) {
    refuse(`there is no split ${JSON.stringify(split)}${nearest(split, splits)}`);
  }
  if (block === undefined) return;
  if (!Number.isSafeInteger(block) || block < 1) refuse(`${String(block)} is no block`);
  if (split === "cyclic") refuse("a cyclic split goes by single elements, so it takes no block");
}

function checkPartials(placements: readonly Placement[]): void {
  const ops = new Set<ReduceOp>();
  for (const placement of placements) if (placement.kind === "partial") ops.add(placement.op);
  for (const op of ops) {
    if (!reduceOps.includes(op))
      refuseOp(op, `there is no such reduction${nearest(op, reduceOps)}`);
  }
  // Their order would matter, and a tensor has none.
  if (ops.size > 1) refuseOp([...ops].join(" and "), "all partial axes take the same reduction");
}

function refuseOp(op: string, problem: string): never {
  throw new TesseraError("E_LAYOUT_REDUCE", { op, problem, ops: reduceOps.join(", ") });
}

/** A suggestion for a word; programs in JavaScript give other things, too. */
function nearest(given: unknown, candidates: readonly string[]): string {
  return typeof given === "string" ? didYouMean(given, candidates) : "";
}

/** Types keep this from happening; programs in JavaScript still do it, with a plain "row". */
function noLayout(given: unknown): TesseraError {
  return new TesseraError("E_LAYOUT_SPEC", { given: JSON.stringify(given) ?? String(given) });
}

function isList(spec: LayoutSpec): spec is readonly Placement[] {
  return Array.isArray(spec);
}
