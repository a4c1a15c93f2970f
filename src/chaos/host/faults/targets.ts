import { type Fleet, type PlannedFault, slotsOfTargets, type Target } from "../../plan/index.ts";
import type { Direction } from "../proxy/link-proxy.ts";

/** The slots that a fault's targets are, each once; none for a store. Rank r of a plan is slot r. */
export function slotsOfFault({ targets }: PlannedFault, fleet: Fleet): readonly number[] {
  return slotsOfTargets(targets, (node) => slotsOfNode(node, fleet));
}

function slotsOfNode(node: number, { devicesPerNode }: Fleet): readonly number[] {
  return Array.from({ length: devicesPerNode }, (_, at) => node * devicesPerNode + at);
}

/**
 * The directions between slots that a fault of links hits. The coordinator is one more end, with the
 * number after the last slot; it lives beside the first rank.
 */
export function directionsOf(fault: PlannedFault, fleet: Fleet): readonly Direction[] {
  const ends = (fleet.nodes + fleet.spareNodes) * fleet.devicesPerNode + 1;
  const matchers = fault.targets.map((target) => matcherOf(target, fleet, ends - 1));
  return pairsOf(ends).filter(({ from, to }) => matchers.some((isHit) => isHit(from, to)));
}

/** Between a device and the others of its node, both ways; or along a link. */
export function nodeDirectionsOf(fault: PlannedFault, fleet: Fleet): readonly Direction[] {
  return fault.targets.flatMap((target) => {
    if (target.kind === "link") {
      const { from, to } = target;
      return [
        { from, to },
        { from: to, to: from },
      ];
    }
    if (target.kind !== "rank") return [];
    const node = Math.floor(target.rank / fleet.devicesPerNode);
    return slotsOfNode(node, fleet)
      .filter((slot) => slot !== target.rank)
      .flatMap((slot) => [
        { from: target.rank, to: slot },
        { from: slot, to: target.rank },
      ]);
  });
}

function pairsOf(ends: number): readonly Direction[] {
  const all = Array.from({ length: ends }, (_, end) => end);
  return all.flatMap((from) => all.filter((to) => to !== from).map((to) => ({ from, to })));
}

type IsHit = (from: number, to: number) => boolean;

function matcherOf(target: Target, fleet: Fleet, coordinator: number): IsHit {
  const isIn = new Set(slotsOfTargets([target], (node) => slotsOfNode(node, fleet)));
  switch (target.kind) {
    case "cut": {
      const named = new Map(target.sides.flatMap((side, at) => side.map((rank) => [rank, at])));
      const rest = target.sides.length;
      const sideOf = (end: number) => named.get(end === coordinator ? 0 : end) ?? rest;
      return (from, to) =>
        target.asymmetric ? sideOf(from) < sideOf(to) : sideOf(from) !== sideOf(to);
    }
    case "link":
      return (from, to) => from === target.from && to === target.to;
    case "group":
      return (from, to) => isIn.has(from) && isIn.has(to);
    case "rank":
    case "node":
      return (from, to) => isIn.has(from) || isIn.has(to);
    default:
      return () => false;
  }
}
