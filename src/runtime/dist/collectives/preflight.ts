import { TesseraError } from "../../../platform/errors/index.ts";
import { checkLocals } from "../array/check-locals.ts";
import { deviceLost } from "../array/device-lost.ts";
import type { Call } from "./call.ts";
import type { Hop } from "./routes.ts";

/** A part of a collective that uses some links, in every group. */
export interface Phase {
  readonly name: string;
  readonly hops: () => Iterable<Hop>;
}

/** A phase that takes the same way in each group. */
export function phaseOf(
  { groups }: Call,
  name: string,
  way: (group: readonly number[]) => Iterable<Hop>,
): Phase {
  return {
    name,
    *hops() {
      for (const group of groups) yield* way(group);
    },
  };
}

/** What is known once a collective may go ahead. */
export interface Clearance {
  /** How many times longer the slowest link of all takes. */
  readonly slowdown: number;
}

/**
 * Looks at everything that could stop a collective before any of it is done: what the ranks hold,
 * the devices, and the links that each phase uses. So a collective either returns all of its
 * result or none.
 *
 * @throws E_DESYNC, E_DEVICE_LOST, E_PARTITION
 */
export function preflight(
  call: Call,
  phases: readonly Phase[],
  ranks: readonly number[] = call.groups.flat(),
): Clearance {
  checkLocals(call.x, { op: call.op, ranks });
  return checkWays(call, phases, ranks);
}

/** The same without a look at what the ranks hold. @throws E_DEVICE_LOST, E_PARTITION */
export function checkWays(
  call: Call,
  phases: readonly Phase[],
  ranks: readonly number[] = call.groups.flat(),
): Clearance {
  if (call.health.empty) return { slowdown: 1 };
  refuseLost(call, phases, ranks);
  if (call.health.hasCuts) for (const phase of phases) refuseCut(call, phase);
  return { slowdown: call.health.hasSlowLinks ? slowest(call, phases) : 1 };
}

function refuseLost(
  { op, mesh, health, axes }: Call,
  phases: readonly Phase[],
  ranks: readonly number[],
): void {
  if (health.deadDevices.size === 0) return;
  const lost = ranks.filter((rank) => health.isDead(mesh.deviceOf(rank)));
  const [first] = lost;
  if (first === undefined) return;
  const phase = phases.find((one) => involves(one, first)) ?? phases[0];
  throw deviceLost({ op, mesh, axes, ranks: lost, phase: phase?.name ?? op });
}

function involves({ hops }: Phase, rank: number): boolean {
  for (const [from, to] of hops()) if (from === rank || to === rank) return true;
  return false;
}

function refuseCut({ op, mesh, health, axes }: Call, phase: Phase): void {
  for (const [fromRank, toRank] of phase.hops()) {
    const from = mesh.deviceOf(fromRank);
    const to = mesh.deviceOf(toRank);
    if (health.linkBetween(from, to, mesh) === "up") continue;
    const ranks = [fromRank, toRank];
    throw new TesseraError("E_PARTITION", {
      op,
      from,
      to,
      fromRank,
      toRank,
      phase: phase.name,
      ranks,
      axes,
    });
  }
}

function slowest({ mesh, health }: Call, phases: readonly Phase[]): number {
  let worst = 1;
  for (const { hops } of phases) {
    for (const [from, to] of hops()) {
      const factor = health.slowdown(mesh.deviceOf(from), mesh.deviceOf(to), mesh);
      worst = Math.max(worst, factor);
    }
  }
  return worst;
}
