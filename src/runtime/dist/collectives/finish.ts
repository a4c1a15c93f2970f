import { dtypeInfo } from "../../tensor/dtype/index.ts";
import { formatShape, sameShape } from "../../tensor/shape.ts";
import { corrupted } from "../array/corrupt.ts";
import { type Block, DistTensor, type Provenance } from "../array/index.ts";
import { inferShape } from "../array/infer-shape.ts";
import { type Layout, localShape, type Placement, resolveLayout } from "../layout/index.ts";
import type { Mesh } from "../mesh/index.ts";
import { badCall, type Call } from "./call.ts";

export interface Outcome {
  /** Where the result lies. Default: the mesh of the call. */
  readonly mesh?: Mesh;
  readonly placements: readonly Placement[] | Layout;
  /** By rank of that mesh. */
  readonly blockOf: (rank: number) => Block;
}

/** A result that is complete, but for how it came about. */
export type Result = (provenance: () => Provenance) => DistTensor;

/**
 * The result of a collective: the layout with what the devices hold now, whose sizes add up to the
 * shape of the whole.
 *
 * @throws E_COLLECTIVE when no rule of the layout splits a whole into those sizes.
 */
export function finish(call: Call, { mesh = call.mesh, placements, blockOf }: Outcome): Result {
  const { op, health, x } = call;
  const held = mesh.devices.map((device, rank) =>
    corrupted(blockOf(rank), { health, op, device, where: "output" }),
  );
  const shapeOf = (rank: number) => held[rank]?.shape ?? [];
  const shape = inferShape(mesh, placements, shapeOf);
  const layout = resolveLayout(placements, { mesh, shape });
  refuseIrregular(call, { mesh, layout, shape, shapeOf });
  return (provenance) =>
    new DistTensor({
      mesh,
      layout,
      dtype: x.dtype,
      shape,
      blocks: held,
      provenance,
    });
}

interface Held {
  readonly mesh: Mesh;
  readonly layout: Layout;
  readonly shape: readonly number[];
  readonly shapeOf: (rank: number) => readonly number[];
}

function refuseIrregular(call: Call, { mesh, layout, shape, shapeOf }: Held): void {
  for (let rank = 0; rank < mesh.size; rank++) {
    const wanted = localShape(layout, { mesh, shape, rank });
    if (sameShape(shapeOf(rank), wanted)) continue;
    throw badCall(
      call.op,
      `rank ${rank} would end with ${formatShape(shapeOf(rank))}, and ${layout.describe()} of ${formatShape(shape)} gives it ${formatShape(wanted)}`,
      "Choose sizes that the devices divide evenly, or redistribute the tensor first.",
    );
  }
}

/** Bytes of the largest part that a rank of these holds. */
export function localBytes({ x }: Call, ranks: readonly number[]): number {
  const { bytes } = dtypeInfo(x.dtype);
  return bytes * ranks.reduce((most, rank) => Math.max(most, x.block(rank).size), 0);
}
