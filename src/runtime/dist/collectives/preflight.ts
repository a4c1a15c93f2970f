import { checkLocals } from "../array/check-locals.ts";
import { requireDevices } from "../array/device-lost.ts";
import { linkCut } from "../array/link-cut.ts";
import type { Call } from "./call.ts";
import { dropped } from "./dropped.ts";
import type { Hop } from "./routes.ts";
import { slowestLink } from "./slowest-link.ts";

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
 * @throws E_DESYNC, E_DEVICE_LOST, E_PARTITION, E_TIMEOUT, E_CUDA
 */
export function preflight(
  call: Call,
  phases: readonly Phase[],
  ranks: readonly number[] = call.groups.flat(),
): Clearance {
  checkLocals(call.x, { op: call.op, ranks });
  return checkWays(call, phases, ranks);
}

/** The same without a look at what the ranks hold. @throws as `preflight`, but E_DESYNC */
export function checkWays(
  call: Call,
  phases: readonly Phase[],
  ranks: readonly number[] = call.groups.flat(),
): Clearance {
  const { op, mesh, health, axes, fate, delay } = call;
  if (health.empty) return { slowdown: 1 };
  const first = phases[0]?.name ?? op;
  const phase = (rank: number) => phases.find((one) => involves(one, rank))?.name ?? first;
  requireDevices({ health, op, mesh, axes, ranks, phase });
  if (health.hasCuts) for (const one of phases) refuseCut(call, one);
  if (fate.droppedAfterMs !== undefined) {
    fate.noteDropped();
    throw dropped(call, first, fate.droppedAfterMs);
  }
  const { topology } = call.topology;
  const { slowdown, addUs } = slowestLink({ op, mesh, health, topology, hops: hopsOf(phases) });
  fate.noteDelayed();
  delay.us = fate.delayUs;
  delay.eachMessageUs = addUs;
  return { slowdown };
}

function* hopsOf(phases: readonly Phase[]): Generator<Hop> {
  for (const { hops } of phases) yield* hops();
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
    const ends = { from: { mesh, rank: fromRank }, to: { mesh, rank: toRank } };
    throw linkCut({ health, op, phase: phase.name, axes, ...ends });
  }
}
