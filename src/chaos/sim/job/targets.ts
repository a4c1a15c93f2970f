import type { PlannedFault, Target } from "../../plan/index.ts";
import type { InjectionRecord } from "../../record/index.ts";
import type { FleetLayout } from "../machines/index.ts";

/** The slots that a fault's targets are, each once; none for a store. */
export function slotsOfFault({ targets }: PlannedFault, layout: FleetLayout): readonly number[] {
  return [...new Set(targets.flatMap((target) => slotsOf(target, layout)))];
}

function slotsOf(target: Target, layout: FleetLayout): readonly number[] {
  switch (target.kind) {
    case "rank":
      return [target.rank];
    case "node":
      return layout.slotsOfNode(target.node);
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

/** A fault before anything has happened. The job begins in the first slots; the others hold no rank. */
export function injectionRecordOf(
  fault: PlannedFault,
  layout: FleetLayout,
  ranks: number,
): InjectionRecord {
  return {
    id: fault.id,
    fault: fault.fault,
    target: describeTargets(fault.targets),
    injectedUs: null,
    effectUs: null,
    effect: null,
    revertedUs: null,
    ranks: slotsOfFault(fault, layout).filter((slot) => slot < ranks),
  };
}

/** `rank 3`, `node 1`, `{0 1} | {2 3}`: what a fault hits, for people. */
function describeTargets(targets: readonly Target[]): string {
  return targets.map(describe).join(", ");
}

function describe(target: Target): string {
  switch (target.kind) {
    case "rank":
      return `rank ${target.rank}`;
    case "node":
      return `node ${target.node}`;
    case "cut": {
      const sides = target.sides.map((ranks) => `{${ranks.join(" ")}}`);
      return sides.join(target.asymmetric ? " -> " : " | ");
    }
    case "link":
      return `link ${target.from} -> ${target.to}`;
    case "group":
      return `${target.axis} group {${target.ranks.join(" ")}}`;
    case "storage":
      return "storage";
    case "pod":
      return `pod ${target.namespace}/${target.name}`;
    case "kubernetes-node":
    case "slurm-node":
      return `node ${target.name}`;
    case "slurm-job":
      return "the job";
  }
}
