import type { DeviceId, Mesh } from "../mesh/index.ts";
import type { Cut, Link, Side, Slow } from "./breakage.ts";
import { sideOfDevice, sidesOf } from "./sides.ts";

/** True when a breakage of links touches what goes from one device to another. */
export type Touches = (from: DeviceId, to: DeviceId, mesh?: Mesh) => boolean;

/** Which links a breakage touches. Sides are worked out once for each mesh. */
export function linksOf(breakage: Cut | Slow): Touches {
  const { sides, links } = breakage;
  const { device } = breakage;
  const ofDevice = device === undefined ? never : linksOfDevice(device, breakage.within);
  const oneWay = breakage.kind === "cut" && breakage.asymmetric === true;
  const crosses = sides === undefined ? undefined : crossing(sides, oneWay);
  const isEvery = sides === undefined && links === undefined && device === undefined;
  if (isEvery) return () => breakage.kind === "slow" || breakage.every === true;
  const named = new Set((links ?? []).map(linkKey));
  return (from, to, mesh) =>
    ofDevice(from, to, mesh) ||
    named.has(linkKey([from, to])) ||
    (crosses?.(from, to, mesh) ?? false);
}

const never: Touches = () => false;

function linksOfDevice(device: DeviceId, within: "node" | undefined): Touches {
  return (from, to, mesh) => {
    if (from !== device && to !== device) return false;
    return within === undefined || mesh === undefined || sameNode(mesh, from, to);
  };
}

function sameNode(mesh: Mesh, from: DeviceId, to: DeviceId): boolean {
  const [one, other] = [mesh.rankOfDevice(from), mesh.rankOfDevice(to)];
  return one !== undefined && other !== undefined && mesh.nodeOf(one) === mesh.nodeOf(other);
}

function crossing(sides: readonly Side[], oneWay: boolean): Touches {
  const known = new WeakMap<Mesh, ReadonlyMap<DeviceId, number>>();
  const labelOf = (device: DeviceId, mesh: Mesh | undefined) => {
    if (mesh === undefined) return sideOfDevice(device, sides);
    let labels = known.get(mesh);
    if (labels === undefined) {
      labels = sidesOf(mesh, sides);
      known.set(mesh, labels);
    }
    return labels.get(device) ?? sideOfDevice(device, sides);
  };
  return (from, to, mesh) => {
    const source = labelOf(from, mesh);
    const target = labelOf(to, mesh);
    return oneWay ? source < target : source !== target;
  };
}

/** Device 5 and device "5" are two devices. */
function linkKey([from, to]: Link): string {
  return JSON.stringify([from, to]);
}
