import { axisIndexIn } from "./axis-names.ts";
import { badDevices, type DeviceId } from "./device-list.ts";
import { coordinatesIn } from "./groups.ts";

/** What is left of a mesh, in rank order. */
export interface Remainder {
  readonly devices: readonly DeviceId[];
  /** The shape, where whole slices of one axis went; undefined when it must be found anew. */
  readonly shape: readonly number[] | undefined;
}

interface Grid {
  readonly axes: readonly string[];
  readonly shape: readonly number[];
  readonly devices: readonly DeviceId[];
}

/**
 * What is left of a mesh without some devices; with `along`, without every slice of that axis
 * that holds one of them.
 *
 * @throws E_MESH_DEVICES for a device that is not there, or when nothing is left; E_MESH_AXIS.
 */
export function shrink(grid: Grid, gone: Iterable<DeviceId>, along: string | undefined): Remainder {
  const ranks = ranksOf(grid, gone);
  if (ranks.size === 0) return { devices: grid.devices, shape: grid.shape };
  const axis =
    along === undefined
      ? grid.shape.findIndex((_, index) => isWholeSlices(grid, ranks, index))
      : axisIndexIn(grid.axes, along);
  if (axis < 0) {
    return { devices: refuseNone(keep(grid, (rank) => !ranks.has(rank))), shape: undefined };
  }
  const lost = slicesOf(grid, ranks, axis);
  const coordinate = (rank: number) => coordinatesIn(grid.shape, rank)[axis] ?? 0;
  return {
    devices: refuseNone(keep(grid, (rank) => !lost.has(coordinate(rank)))),
    shape: grid.shape.map((size, index) => (index === axis ? size - lost.size : size)),
  };
}

function ranksOf(grid: Grid, gone: Iterable<DeviceId>): Set<number> {
  const rankOf = new Map(grid.devices.map((device, rank) => [device, rank]));
  const ranks = new Set<number>();
  for (const device of gone) {
    const rank = rankOf.get(device);
    if (rank === undefined) throw badDevices(`device ${device} is not part of the mesh`);
    ranks.add(rank);
  }
  return ranks;
}

/** True when the ranks are exactly all of some slices of this axis. */
function isWholeSlices(grid: Grid, ranks: ReadonlySet<number>, axis: number): boolean {
  const size = grid.shape[axis] ?? 1;
  const slices = slicesOf(grid, ranks, axis).size;
  return ranks.size === slices * (grid.devices.length / size);
}

function slicesOf(grid: Grid, ranks: ReadonlySet<number>, axis: number): Set<number> {
  return new Set([...ranks].map((rank) => coordinatesIn(grid.shape, rank)[axis] ?? 0));
}

function keep(grid: Grid, stays: (rank: number) => boolean): DeviceId[] {
  return grid.devices.filter((_, rank) => stays(rank));
}

function refuseNone(devices: readonly DeviceId[]): readonly DeviceId[] {
  if (devices.length === 0) throw badDevices("none is left");
  return devices;
}
