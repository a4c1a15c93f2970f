import type { DeviceId, Mesh } from "../mesh/index.ts";
import type { Breakage, Corrupt } from "./breakage.ts";
import { linksOf, type Touches } from "./links.ts";

/** What is broken, as one operation sees it. */
export interface Health {
  /** True when nothing is broken. */
  readonly empty: boolean;
  readonly deadDevices: ReadonlySet<DeviceId>;
  /** True when some link may be cut: only then is it worth asking about each. */
  readonly hasCuts: boolean;
  readonly hasSlowLinks: boolean;
  isDead(device: DeviceId): boolean;
  /** Whether anything gets from one device to another. The mesh says which node a device is in. */
  linkBetween(from: DeviceId, to: DeviceId, mesh?: Mesh): "up" | "cut";
  /** How many times longer a transfer takes; 1 for a sound link. */
  slowdown(from: DeviceId, to: DeviceId, mesh?: Mesh): number;
  /** The wrong bits of a device in this operation. */
  corruptions(device: DeviceId, op: string): readonly Corrupt[];
}

/** A breakage in force, until `ended`. */
export interface ActiveBreakage {
  readonly breakage: Breakage;
  /** Which links it touches; for a breakage of devices none. */
  readonly touches: Touches;
  ended: boolean;
}

export function activate(breakage: Breakage): ActiveBreakage {
  const isOfLinks = breakage.kind === "cut" || breakage.kind === "slow";
  return { breakage, touches: isOfLinks ? linksOf(breakage) : () => false, ended: false };
}

/** The health that these breakages leave. A copy: what ends later is still in it. */
export function healthOf(all: readonly ActiveBreakage[]): Health {
  const active = all.filter(({ ended }) => !ended);
  if (active.length === 0) return sound;
  const dead = new Set<DeviceId>();
  const corrupt: Corrupt[] = [];
  for (const { breakage } of active) {
    if (breakage.kind === "dead") dead.add(breakage.device);
    if (breakage.kind === "corrupt") corrupt.push(breakage);
  }
  const cuts = active.filter(({ breakage }) => breakage.kind === "cut");
  const slow = active.filter(({ breakage }) => breakage.kind === "slow");
  return {
    empty: false,
    deadDevices: dead,
    hasCuts: cuts.length > 0,
    hasSlowLinks: slow.length > 0,
    isDead: (device) => dead.has(device),
    linkBetween: (from, to, mesh) =>
      cuts.some(({ touches }) => touches(from, to, mesh)) ? "cut" : "up",
    slowdown: (from, to, mesh) => {
      let factor = 1;
      for (const { breakage, touches } of slow) {
        if (breakage.kind === "slow" && touches(from, to, mesh)) factor *= breakage.factor;
      }
      return factor;
    },
    corruptions: (device, op) =>
      corrupt.filter((one) => one.device === device && (one.when === undefined || one.when === op)),
  };
}

const sound: Health = {
  empty: true,
  deadDevices: new Set(),
  hasCuts: false,
  hasSlowLinks: false,
  isDead: () => false,
  linkBetween: () => "up",
  slowdown: () => 1,
  corruptions: () => [],
};
