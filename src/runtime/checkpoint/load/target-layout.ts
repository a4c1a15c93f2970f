import { isTesseraError, TesseraError } from "../../../platform/errors/index.ts";
import { Layout, type Placement, resolveLayout } from "../../dist/layout/index.ts";
import { Mesh } from "../../dist/mesh/index.ts";
import type { Manifest, ManifestTensor } from "../manifest/index.ts";
import type { LoadOptions } from "../options.ts";

/** The mesh that a load lays tensors out on; undefined when there was none and none is given. */
export function targetMesh(
  { mesh }: Manifest,
  { remapTo }: Pick<LoadOptions, "remapTo">,
): Mesh | undefined {
  if (remapTo !== undefined || mesh === null) return remapTo;
  const { axes, shape } = mesh;
  return new Mesh({ axes, shape, devices: shape.reduce((product, size) => product * size, 1) });
}

export interface TargetQuestion {
  readonly checkpoint: string;
  readonly manifest: Manifest;
  readonly mesh: Mesh | undefined;
  readonly layouts: LoadOptions["layouts"];
}

/**
 * How a tensor comes to lie: as `layouts` says; else as it lay, each axis by its name. Undefined for a
 * tensor that lay on no mesh, which comes back whole.
 *
 * @throws E_CHECKPOINT_LAYOUT
 */
export function targetLayout(
  { name, shape, layout }: ManifestTensor,
  { checkpoint, manifest, mesh, layouts }: TargetQuestion,
): Layout | undefined {
  const asked = layouts?.(name, shape);
  const spec = asked ?? (layout === null ? undefined : keptPlacements(layout, manifest, mesh));
  if (spec === undefined) return undefined;
  const refuse = (problem: string, cause?: unknown) =>
    new TesseraError("E_CHECKPOINT_LAYOUT", { checkpoint, problem, tensor: name }, { cause });
  if (mesh === undefined) throw refuse(`${name} is to lie on a mesh, and there is none`);
  let resolved: Layout;
  try {
    resolved = resolveLayout(spec, { mesh, shape });
  } catch (error) {
    if (!isTesseraError(error)) throw error;
    throw refuse(`${name}: ${error.message}`, error);
  }
  if (resolved.axesWith("partial").length > 0) {
    throw refuse(`${name} holds whole values, which are no partial ones`);
  }
  return resolved;
}

/** Placements by the names of the axes; where several split a dimension they keep their order. */
function keptPlacements(
  placements: readonly Placement[],
  { mesh: saved }: Manifest,
  mesh: Mesh | undefined,
): readonly Placement[] {
  const before = new Layout(saved?.axes ?? [], placements);
  return (mesh?.axes ?? []).map((name): Placement => {
    const axis = before.axes.indexOf(name);
    const placement = before.placements[axis];
    if (placement?.kind !== "shard") return { kind: "replicate" };
    const order = before.splitsOf(placement.dim).findIndex((split) => split.axis === axis);
    return { ...placement, order };
  });
}

/** What a user must know about the change of meshes. */
export function meshNotes({ mesh: saved }: Manifest, mesh: Mesh | undefined): readonly string[] {
  if (saved === null || mesh === undefined) return [];
  const before = saved.shape.reduce((product, size) => product * size, 1);
  const show = (axes: readonly string[], shape: readonly number[]) =>
    axes.map((axis, at) => `${axis} ${shape[at] ?? 1}`).join(" × ");
  const change = `from ${show(saved.axes, saved.shape)} to ${show(mesh.axes, mesh.shape)}`;
  if (before !== mesh.size) {
    return [
      `WORLD_SIZE_CHANGED ${change}, ${before} devices to ${mesh.size}: every tensor has the bits that were saved, but a run that goes on from here is not bitwise the one that was interrupted.`,
    ];
  }
  const isSame = show(saved.axes, saved.shape) === show(mesh.axes, mesh.shape);
  return isSame
    ? []
    : [
        `MESH_CHANGED ${change}: every tensor has the bits that were saved, but sums run over other groups, so that a run that goes on from here is not bitwise the one that was interrupted.`,
      ];
}
