import type { DeviceId, Mesh } from "../../runtime/dist/mesh/index.ts";
import { invalidFault } from "../fault/spec/converter.ts";

/**
 * What a chaos event hits: a device as its mesh calls it (also as "gpu:5"), several, devices of a mesh by
 * their node or by their coordinates, or links.
 */
export type ChaosTarget =
  | DeviceId
  | readonly DeviceId[]
  | { readonly mesh: Mesh; readonly node: number }
  | { readonly mesh: Mesh; readonly at: Readonly<Record<string, number>> }
  | LinkTarget;

/** As in `fault.inject({ networkPartition })`. */
export interface LinkTarget {
  readonly ranges?: readonly (readonly [from: number, to: number])[];
  readonly groups?: readonly (readonly DeviceId[])[];
  readonly links?: readonly (readonly [from: DeviceId, to: DeviceId])[];
  /** Only what goes from an earlier range or group to a later one; partitions alone know it. */
  readonly asymmetric?: boolean;
}

/** A target, resolved. */
export interface ResolvedTarget {
  /** Undefined for links, and when no target was given. */
  readonly devices: readonly DeviceId[] | undefined;
  readonly links: LinkTarget | undefined;
  /** For people. */
  readonly text: string;
}

const gpuPattern = /^(?:gpu|device|rank):(\d{1,9})$/;

/** @throws E_FAULT_INVALID */
export function resolveTarget(fault: string, target: ChaosTarget | undefined): ResolvedTarget {
  if (target === undefined) return { devices: undefined, links: undefined, text: "everything" };
  if (typeof target === "number" || typeof target === "string") return ofDevices([target]);
  if (Array.isArray(target)) return ofDevices(target as readonly DeviceId[]);
  if (!("mesh" in target)) {
    const links = target as LinkTarget;
    return { devices: undefined, links, text: JSON.stringify(links) };
  }
  const { mesh } = target;
  const ranks = [...mesh.devices.keys()].filter((rank) =>
    "node" in target ? mesh.nodeOf(rank) === target.node : isAt(mesh, rank, target.at),
  );
  const text = "node" in target ? `node ${target.node}` : JSON.stringify(target.at);
  if (ranks.length === 0) {
    throw invalidFault(fault, `${text} has no device in the mesh`, "Name a node or place it has.");
  }
  return { devices: ranks.map((rank) => mesh.deviceOf(rank)), links: undefined, text };
}

function ofDevices(given: readonly DeviceId[]): ResolvedTarget {
  const devices = given.map(deviceOf);
  const text = `device${devices.length === 1 ? "" : "s"} ${devices.join(", ")}`;
  return { devices, links: undefined, text };
}

/** `gpu:5` is device 5. */
function deviceOf(given: DeviceId): DeviceId {
  const number = typeof given === "string" ? gpuPattern.exec(given)?.[1] : undefined;
  return number === undefined ? given : Number(number);
}

function isAt(mesh: Mesh, rank: number, at: Readonly<Record<string, number>>): boolean {
  const coordinates = mesh.coordinatesOf(rank);
  return Object.entries(at).every(([axis, value]) => coordinates[mesh.axisIndex(axis)] === value);
}
