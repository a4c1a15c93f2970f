import type { DeviceId, Mesh } from "../mesh/index.ts";
import { levelOf } from "../mesh/topology-names.ts";
import type { Range, Side } from "./breakage.ts";

/**
 * The side each device of a mesh is on: the number of the first side that has it, or the number of
 * sides for a device that none has.
 */
export function sidesOf(mesh: Mesh, sides: readonly Side[]): ReadonlyMap<DeviceId, number> {
  const labels = new Map<DeviceId, number>();
  for (const [rank, device] of mesh.devices.entries()) {
    const place = { device, rank, mesh };
    const found = sides.findIndex((side) => isOn(side, place));
    labels.set(device, found === -1 ? sides.length : found);
  }
  return labels;
}

/** The same without a mesh: only what device numbers and names can tell. */
export function sideOfDevice(device: DeviceId, sides: readonly Side[]): number {
  const found = sides.findIndex((side) => isOn(side, { device }));
  return found === -1 ? sides.length : found;
}

interface Place {
  readonly device: DeviceId;
  readonly rank?: number;
  readonly mesh?: Mesh;
}

function isOn(side: Side, place: Place): boolean {
  if ("devices" in side) return side.devices.includes(place.device);
  if ("deviceRange" in side) return holdsDevice(side.deviceRange, place);
  if ("nodes" in side) return holdsNode(side.nodes, place);
  const countsNodes = place.mesh?.axes.some((axis) => levelOf(axis) === "node") ?? false;
  return countsNodes ? holdsNode(side.range, place) : holdsDevice(side.range, place);
}

function holdsNode(range: Range, { mesh, rank }: Place): boolean {
  return mesh !== undefined && rank !== undefined && holds(range, mesh.nodeOf(rank));
}

/** A device with a name instead of a number is counted by its rank. */
function holdsDevice(range: Range, { device, rank }: Place): boolean {
  const number = typeof device === "number" ? device : rank;
  return number !== undefined && holds(range, number);
}

function holds([from, to]: Range, value: number): boolean {
  return value >= from && value < to;
}
