import type { Piece } from "../../array/assembled-block.ts";
import type { Block } from "../../array/block.ts";
import { localShape } from "../../layout/index.ts";
import type { DeviceId } from "../../mesh/index.ts";
import { transfersOf } from "../plan/transfers.ts";
import { Pieces } from "./pieces.ts";
import { blockOf, type StepWork } from "./step-work.ts";

/** Gives each rank of another mesh its part, out of the boxes that ranks of this one hold. */
export function copy(work: StepWork, isDead: (device: DeviceId) => boolean): Block[] {
  const { step, shape, movement } = work;
  const { from, to } = step;
  const pieces = new Pieces(work.dtype);
  const parts = to.mesh.devices.map((): Piece[] => []);
  for (const { fromRank, toRank, dims, inPlace } of transfersOf({ shape, from, to, isDead })) {
    const sent = pieces.cut(
      blockOf(work, fromRank),
      dims.map(({ inOther }) => inOther),
    );
    if (!inPlace) movement.received(toRank, sent.size);
    parts[toRank]?.push({ block: sent, slices: dims.map(({ inOne }) => inOne) });
  }
  return parts.map((received, rank) =>
    pieces.join(localShape(to.layout, { mesh: to.mesh, shape, rank }), received),
  );
}
