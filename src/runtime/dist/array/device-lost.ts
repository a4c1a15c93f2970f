import { TesseraError } from "../../../platform/errors/index.ts";
import type { Mesh } from "../mesh/index.ts";

export interface DeviceLost {
  readonly op: string;
  readonly mesh: Mesh;
  /** Every rank that is gone, at least one; the message names the first. */
  readonly ranks: readonly number[];
  readonly phase: string;
  readonly axes?: readonly string[];
}

/** The error that every survivor of a lost device sees. */
export function deviceLost({
  op,
  mesh,
  ranks,
  phase,
  axes,
}: DeviceLost): TesseraError<"E_DEVICE_LOST"> {
  const rank = ranks[0] ?? 0;
  return new TesseraError("E_DEVICE_LOST", {
    op,
    device: mesh.deviceOf(rank),
    rank,
    coordinates: placeOf(mesh, rank),
    phase,
    devices: JSON.stringify(ranks.map((one) => mesh.deviceOf(one))),
    ranks,
    ...(axes === undefined ? {} : { axes }),
  });
}

/** `tp 1, pp 0, dp 1`. */
export function placeOf(mesh: Mesh, rank: number): string {
  const coordinates = mesh.coordinatesOf(rank);
  return mesh.axes.map((axis, at) => `${axis} ${coordinates[at]}`).join(", ");
}
