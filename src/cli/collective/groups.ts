import { Mesh } from "../../runtime/dist/mesh/index.ts";
import type { Topology } from "../../runtime/dist/topology/index.ts";
import { collectiveUsage } from "./usage.ts";

/** The groups that communicate. */
export interface Groups {
  /** Devices of one group. */
  readonly devices: number;
  /** Groups at the same time. */
  readonly count: number;
  /** Devices of a group in one domain, where a mesh says so. */
  readonly devicesPerDomain: number | undefined;
  readonly isMesh: boolean;
}

const meshDevicesMax = 1_000_000;

/** Without axes one group of all devices; with them, those of the mesh. @throws E_USAGE and E_MESH_… */
export function groupsOf(options: {
  readonly devices: number;
  readonly topology: Topology;
  readonly axes: string | undefined;
  readonly over: string | undefined;
}): Groups {
  const { devices, topology, axes, over } = options;
  if (axes === undefined) {
    if (over !== undefined) throw collectiveUsage("--over names axes of a mesh; give --axes too.");
    return { devices, count: 1, devicesPerDomain: undefined, isMesh: false };
  }
  if (devices > meshDevicesMax) {
    throw collectiveUsage(`A mesh has at most ${meshDevicesMax} devices here, not ${devices}.`);
  }
  const mesh = meshOf(axes, devices);
  const groups = mesh.groups(over === undefined ? mesh.axes : namesIn(over));
  const [group = []] = groups;
  if (group.length < 2) {
    throw collectiveUsage(
      `The groups over ${over} have one device, so nothing moves (${mesh.describe()}).`,
    );
  }
  const domains = new Map<number, number>();
  for (const rank of group) {
    const domain = Math.floor(rank / topology.domainGpus);
    domains.set(domain, (domains.get(domain) ?? 0) + 1);
  }
  const devicesPerDomain = Math.max(...domains.values());
  return { devices: group.length, count: groups.length, devicesPerDomain, isMesh: true };
}

/** A mesh of `tp,pp,dp` by the rules, or of `tp=6,pp=6,dp=2`. */
function meshOf(axes: string, devices: number): Mesh {
  const parts = namesIn(axes).map((part) => part.split("="));
  const names = parts.map(([name = ""]) => name);
  const sizes = parts.flatMap(([, size]) => (size === undefined ? [] : [Number(size)]));
  if (sizes.length === 0) return new Mesh({ axes: names, devices });
  if (sizes.length !== names.length || parts.some((part) => part.length > 2)) {
    throw collectiveUsage("--axes gives all axes a size, as in tp=6,pp=6,dp=2, or none.");
  }
  return new Mesh({ axes: names, devices, shape: sizes });
}

function namesIn(text: string): readonly string[] {
  return text.split(",").map((name) => name.trim());
}
