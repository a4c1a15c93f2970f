import type { Target } from "./target.ts";

/** `rank 3`, `node 1`, `{0 1} | {2 3}`: what a fault hits, for people. */
export function describeTargets(targets: readonly Target[]): string {
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
