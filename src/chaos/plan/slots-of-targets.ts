import type { Target } from "./target.ts";

/** The slots that targets are, each once; none for a store. */
export function slotsOfTargets(
  targets: readonly Target[],
  slotsOfNode: (node: number) => readonly number[],
): readonly number[] {
  return [...new Set(targets.flatMap((target) => slotsOf(target, slotsOfNode)))];
}

function slotsOf(
  target: Target,
  slotsOfNode: (node: number) => readonly number[],
): readonly number[] {
  switch (target.kind) {
    case "rank":
      return [target.rank];
    case "node":
      return slotsOfNode(target.node);
    case "cut":
      return target.sides.flat();
    case "link":
      return [target.from, target.to];
    case "group":
      return target.ranks;
    default:
      return [];
  }
}
