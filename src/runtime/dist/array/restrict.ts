import { TesseraError } from "../../../platform/errors/index.ts";
import { sameShape } from "../../tensor/shape.ts";
import { localShape, resolveLayout } from "../layout/index.ts";
import type { Mesh } from "../mesh/index.ts";
import { DistTensor } from "./dist-tensor.ts";
import { inferShape } from "./infer-shape.ts";

/**
 * The part of a tensor on the devices with these coordinates, as a tensor on the sub-mesh of them.
 * Where a coordinate was that of an axis which splits a dimension, the dimension becomes that part.
 *
 * @param op what asks for it, for the error
 * @throws E_MESH_AXIS, E_MESH_RANK; E_COLLECTIVE where what is left is not split by one rule.
 */
export function restrict(
  x: DistTensor,
  fixed: Readonly<Record<string, number>>,
  op: string,
): DistTensor {
  const mesh = x.mesh.subMesh(fixed);
  const ranks = ranksIn(x.mesh, mesh);
  const left = x.layout.placements.filter(
    (_, axis) => !Object.hasOwn(fixed, x.mesh.axes[axis] ?? ""),
  );
  const placements = left.length === 0 ? undefined : left;
  const held = (rank: number) =>
    localShape(x.layout, { mesh: x.mesh, shape: x.shape, rank: ranks[rank] ?? 0 });
  const shape = inferShape(mesh, placements, held);
  const layout = resolveLayout(placements, { mesh, shape });
  const isRegular = mesh.devices.every((_, rank) =>
    sameShape(held(rank), localShape(layout, { mesh, shape, rank })),
  );
  if (!isRegular) {
    throw new TesseraError("E_COLLECTIVE", {
      op,
      problem: `the parts at ${JSON.stringify(fixed)} of a tensor that lies as ${x.layout.describe()} make up no tensor`,
      remedy: "Redistribute first, so that the fixed axes split a dimension before the others do.",
    });
  }
  const { dtype } = x;
  return new DistTensor({
    mesh,
    layout,
    dtype,
    shape,
    blocks: (rank) => x.block(ranks[rank] ?? 0),
  });
}

/** For each rank of a mesh made from another one, the rank its device has there. */
export function ranksIn(whole: Mesh, part: Mesh): readonly number[] {
  return part.devices.map((device) => whole.rankOfDevice(device) ?? 0);
}
