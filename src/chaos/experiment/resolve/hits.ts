import type { ChaosPlan, PlannedFault, Target, Trigger } from "../../plan/index.ts";
import { type FaultForce, forceOf } from "./force.ts";
import { all, type Layout, layoutOf, ranksOfNode } from "./layout.ts";

/** What one fault hits. */
export interface Hit {
  readonly fault: PlannedFault;
  readonly force: FaultForce;
  /** Ranks that notice it; pods count as ranks of their own. */
  readonly touched: readonly number[];
  /** Ranks that it takes out of the job, or whose numbers it spoils. */
  readonly lost: readonly number[];
  /** Pods, jobs and nodes of a cluster, by name. */
  readonly objects: readonly string[];
}

/** Faults that may fall into one recovery. */
export interface HitCluster {
  readonly hits: readonly Hit[];
  readonly touched: readonly number[];
  readonly lost: readonly number[];
  readonly objects: readonly string[];
}

/** The parts of a plan that say who is hit. */
export type HitPlan = Pick<ChaosPlan, "workload" | "fleet" | "faults" | "timeouts">;

/** What a plan hits, grouped by what may happen at once. */
export function clustersOf(plan: HitPlan): readonly HitCluster[] {
  const layout = layoutOf(plan.workload, plan.fleet);
  const hits = plan.faults.map((fault) => hitOf(fault, plan, layout));
  const recoveryUs = longestRecoveryUs(plan);
  const groups: Hit[][] = [];
  for (const hit of hits) {
    const near = groups.filter((group) =>
      group.some((other) => !areApart(hit.fault, other.fault, recoveryUs)),
    );
    const merged = [...near.flat(), hit];
    for (const group of near) groups.splice(groups.indexOf(group), 1);
    groups.push(merged);
  }
  return groups.map((group) => ({
    hits: group,
    touched: distinct(group.flatMap(({ touched }) => touched)),
    lost: distinct(group.flatMap(({ lost }) => lost)),
    objects: [...new Set(group.flatMap(({ objects }) => objects))],
  }));
}

function hitOf(fault: PlannedFault, plan: HitPlan, layout: Layout): Hit {
  const force = forceOf(fault, plan.timeouts);
  const touched = distinct(fault.targets.flatMap((target) => touchedBy(target, layout)));
  const isLoss = force === "loses" || force === "corrupts";
  const lost = isLoss ? distinct(fault.targets.flatMap((target) => lostBy(target, layout))) : [];
  return { fault, force, touched, lost, objects: fault.targets.flatMap(objectOf) };
}

function touchedBy(target: Target, layout: Layout): readonly number[] {
  if (target.kind === "link") return [target.from, target.to];
  return target.kind === "cut" ? target.sides.flat() : lostBy(target, layout);
}

/** Of a cut the larger side goes on, the first where they are equal; of a link the sender is blamed. */
function lostBy(target: Target, layout: Layout): readonly number[] {
  switch (target.kind) {
    case "rank":
      return [target.rank];
    case "node":
      return ranksOfNode(target.node, layout);
    case "group":
      return target.ranks;
    case "link":
      return [target.from];
    case "cut": {
      const named = new Set(target.sides.flat());
      const unnamed = all(layout.ranks ?? 0).filter((rank) => !named.has(rank));
      const sides = [...target.sides, unnamed].filter(({ length }) => length > 0);
      const largest = Math.max(...sides.map(({ length }) => length));
      const stays = sides.findIndex(({ length }) => length === largest);
      return sides.filter((_, at) => at !== stays).flat();
    }
    case "storage":
    case "pod":
    case "kubernetes-node":
    case "slurm-job":
    case "slurm-node":
      return [];
  }
}

function objectOf(target: Target): readonly string[] {
  if (target.kind === "pod") return [`${target.namespace}/${target.name}`];
  if (target.kind === "slurm-job") return ["the job"];
  return target.kind === "kubernetes-node" || target.kind === "slurm-node" ? [target.name] : [];
}

/** All that may pass between a fault and the first step after it. */
function longestRecoveryUs({ timeouts, workload }: HitPlan): number {
  const { heartbeatUs, collectiveUs, drainUs, rendezvousUs, loadUs } = timeouts;
  const startUs = workload.kind === "training" ? workload.pace.startUs : 0;
  return heartbeatUs + collectiveUs + drainUs + startUs + 2 * rendezvousUs + loadUs;
}

/**
 * Whether a recovery surely lies between two faults. The clock of steps, exchanges and saves stands
 * still while a job recovers, so that another number of the same count comes after it; of moments
 * of different kinds nobody knows beforehand how near they are.
 */
function areApart(a: PlannedFault, b: PlannedFault, recoveryUs: number): boolean {
  const [one, other] = [a.trigger, b.trigger];
  if (one.kind !== other.kind) return false;
  if (one.kind === "time") return Math.abs(one.atUs - (other as typeof one).atUs) >= recoveryUs;
  if (one.kind === "collective" && one.axis !== (other as typeof one).axis) return false;
  // A restore is a part of a recovery.
  return one.kind !== "restore" && numberOf(one) !== numberOf(other);
}

function numberOf(trigger: Trigger): number {
  switch (trigger.kind) {
    case "step":
      return trigger.step;
    case "time":
      return trigger.atUs;
    case "collective":
    case "checkpoint":
    case "restore":
      return trigger.nth;
  }
}

function distinct(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].toSorted((a, b) => a - b);
}
