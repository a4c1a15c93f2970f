import type { DeviceId, Mesh } from "../mesh/index.ts";
import { type ActiveBreakage, noteOn } from "./active.ts";
import type { Breakage, Corrupt, FailingDevice, HungDevice, Slow } from "./breakage.ts";
import type { Effect, Met } from "./effect.ts";
import { type Fate, fateOf, isMadeBy, untouched } from "./fate.ts";

/** What is broken, as one operation sees it. */
export interface Health {
  /** True when nothing is broken. */
  readonly empty: boolean;
  readonly deadDevices: ReadonlySet<DeviceId>;
  /** True when some link may be cut: only then is it worth asking about each. */
  readonly hasCuts: boolean;
  readonly hasSlowLinks: boolean;
  isDead(device: DeviceId): boolean;
  /** What became of a dead device, where that is known. */
  causeOf(device: DeviceId): string | undefined;
  /** The breakage of a device that takes work and never finishes it. */
  hungBy(device: DeviceId): HungDevice | undefined;
  /** Why an operation on this device fails, though the device lives on. */
  failingBy(device: DeviceId, op: string): FailingDevice | undefined;
  /** How many times longer a device computes; 1 for a sound one. */
  straggle(device: DeviceId): number;
  /** Whether anything gets from one device to another. The mesh says which node a device is in. */
  linkBetween(from: DeviceId, to: DeviceId, mesh?: Mesh): "up" | "cut";
  /** How many times longer a transfer takes; 1 for a sound link. */
  slowdown(from: DeviceId, to: DeviceId, mesh?: Mesh): number;
  /** What a link adds to every message and what it carries at most. */
  delayOf(from: DeviceId, to: DeviceId, mesh?: Mesh): LinkDelay;
  /** Draws by how much a slow link varies this time. Ask once for each operation. */
  jitterUs(slow: Slow): number;
  /** The wrong bits of a device in this operation. */
  corruptions(device: DeviceId, op: string): readonly Corrupt[];
  /** Decides what happens to a collective that begins now. Ask once for each. */
  fateOf(op: string): Fate;
  /** Tells what is broken what it did to an operation. */
  note(met: Met, effect: Effect): void;
}

export interface LinkDelay {
  readonly addUs: number;
  /** Infinite for a link without a cap. */
  readonly capGBps: number;
  /** What makes it slow. */
  readonly by: readonly Slow[];
}

/** The health that these breakages leave. A copy: what ends later is still in it. */
export function healthOf(all: readonly ActiveBreakage[]): Health {
  const active = all.filter(({ ended }) => !ended);
  if (active.length === 0) return sound;
  const of = <K extends Breakage["kind"]>(kind: K) =>
    active.flatMap(({ breakage }) =>
      breakage.kind === kind ? [breakage as Extract<Breakage, { kind: K }>] : [],
    );
  const dead = of("dead");
  const deadDevices = new Set(dead.map(({ device }) => device));
  const corrupt = of("corrupt");
  const [hung, straggling] = [of("hung"), of("straggling")];
  const cuts = active.filter(({ breakage }) => breakage.kind === "cut");
  const slow = active.filter(({ breakage }) => breakage.kind === "slow");
  return {
    empty: false,
    deadDevices,
    hasCuts: cuts.length > 0,
    hasSlowLinks: slow.length > 0,
    isDead: (device) => deadDevices.has(device),
    causeOf: (device) =>
      dead.find((one) => one.device === device && one.cause !== undefined)?.cause,
    hungBy: (device) => hung.find((one) => one.device === device),
    failingBy: (device, op) => failing(active, device, op),
    straggle: (device) =>
      straggling.reduce((all, one) => (one.device === device ? all * one.factor : all), 1),
    linkBetween: (from, to, mesh) =>
      cuts.some(({ touches }) => touches(from, to, mesh)) ? "cut" : "up",
    slowdown: (from, to, mesh) => {
      let factor = 1;
      for (const { breakage, touches } of slow) {
        if (breakage.kind === "slow" && touches(from, to, mesh)) factor *= breakage.factor;
      }
      return factor;
    },
    delayOf: (from, to, mesh) =>
      delayOf(
        slow.flatMap(({ breakage, touches }) =>
          breakage.kind === "slow" && touches(from, to, mesh) ? [breakage] : [],
        ),
      ),
    jitterUs: (one) => {
      const chance = slow.find(({ breakage }) => breakage === one)?.chance;
      return (chance?.float() ?? 0) * (one.jitter?.upToUs ?? 0);
    },
    corruptions: (device, op) =>
      corrupt.filter((one) => one.device === device && (one.when === undefined || one.when === op)),
    fateOf: (op) => fateOf(active, op),
    note: (met, effect) => {
      for (const one of active) if (fits(one, met)) noteOn(one, effect);
    },
  };
}

function failing(
  active: readonly ActiveBreakage[],
  device: DeviceId,
  op: string,
): FailingDevice | undefined {
  for (const { breakage, met } of active) {
    if (breakage.kind !== "failing" || breakage.device !== device) continue;
    if (breakage.when !== undefined && breakage.when !== op) continue;
    if (breakage.times === undefined || met < breakage.times) return breakage;
  }
  return undefined;
}

function delayOf(by: readonly Slow[]): LinkDelay {
  let addUs = 0;
  let capGBps = Number.POSITIVE_INFINITY;
  for (const one of by) {
    addUs += one.addUs ?? 0;
    capGBps = Math.min(capGBps, one.capGBps ?? capGBps);
  }
  return { addUs, capGBps, by };
}

function fits(active: ActiveBreakage, met: Met): boolean {
  const { breakage, touches } = active;
  switch (met.kind) {
    case "this":
      return breakage === met.breakage || isMadeBy(met.breakage, active);
    case "cut":
      return breakage.kind === "cut" && touches(met.from, met.to, met.mesh);
    default:
      return breakage.kind === met.kind && breakage.device === met.device;
  }
}

const sound: Health = {
  empty: true,
  deadDevices: new Set(),
  hasCuts: false,
  hasSlowLinks: false,
  isDead: () => false,
  causeOf: () => undefined,
  hungBy: () => undefined,
  failingBy: () => undefined,
  straggle: () => 1,
  linkBetween: () => "up",
  slowdown: () => 1,
  delayOf: () => ({ addUs: 0, capGBps: Number.POSITIVE_INFINITY, by: [] }),
  jitterUs: () => 0,
  corruptions: () => [],
  fateOf: () => untouched,
  note: () => undefined,
};
