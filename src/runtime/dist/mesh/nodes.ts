import type { DeviceId } from "./device-list.ts";
import { coordinatesIn } from "./groups.ts";
import { nodeSizeOf } from "./node-size.ts";
import { levelOf } from "./topology-names.ts";

/**
 * The node each device is on: the coordinate on the axis of nodes (counted through the racks, if
 * there is such an axis); without one, as many consecutive devices as a node has.
 */
export function placeOnNodes(mesh: {
  readonly axes: readonly string[];
  readonly shape: readonly number[];
  readonly devices: readonly DeviceId[];
  readonly topology: string | undefined;
}): Map<DeviceId, number> {
  const { axes, shape, devices, topology } = mesh;
  const levels = axes.map(levelOf);
  const node = levels.indexOf("node");
  const rack = levels.indexOf("rack");
  const { gpusPerNode } = nodeSizeOf(topology);
  const nodeOf = (device: DeviceId, rank: number): number => {
    if (node < 0) return Math.floor((typeof device === "number" ? device : rank) / gpusPerNode);
    const coordinates = coordinatesIn(shape, rank);
    return (coordinates[rack] ?? 0) * (shape[node] ?? 1) + (coordinates[node] ?? 0);
  };
  return new Map(devices.map((device, rank) => [device, nodeOf(device, rank)]));
}
