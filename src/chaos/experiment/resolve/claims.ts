import type { ClaimGiven, ClaimUnit } from "../schema/index.ts";
import { clustersOf, type HitCluster, type HitPlan } from "./hits.ts";
import { type Layout, layoutOf, nodeOfRank, placeOfRank, rackOfNode } from "./layout.ts";

/** Whether the claims say that a plan is survived, and why. */
export interface ClaimFinding {
  readonly claim: "inside" | "outside";
  readonly reason: string;
}

/**
 * A plan is inside when one of the claims covers all of it: no more is hit at once than the claim
 * says, and no more often. What takes nobody out of the job (latency, a dropped exchange, a failed
 * save) is inside every claim. Without a claim, a job that is told to fail fast, or expected to fail
 * cleanly, is outside; every other one must come back.
 */
export function judgeClaims(
  plan: HitPlan,
  claims: readonly ClaimGiven[],
  expectsFailure: boolean,
): ClaimFinding {
  if (claims.length === 0) return withoutClaims(plan, expectsFailure);
  const layout = layoutOf(plan.workload, plan.fleet);
  const clusters = clustersOf(plan);
  const refusals: string[] = [];
  for (const claim of claims) {
    const refusal = refusalOf(claim, { clusters, layout, plan });
    if (refusal === undefined) {
      return { claim: "inside", reason: `the job is said to survive ${claimText(claim)}` };
    }
    refusals.push(refusal);
  }
  return { claim: "outside", reason: refusals.join("; ") };
}

function withoutClaims({ workload }: HitPlan, expectsFailure: boolean): ClaimFinding {
  if (expectsFailure) return { claim: "outside", reason: "it is expected to fail cleanly" };
  if (workload.kind === "training" && workload.policy.onFailure === "failFast") {
    return { claim: "outside", reason: "nothing is claimed, and the policy is failFast" };
  }
  return { claim: "inside", reason: "nothing is claimed: the job must come back" };
}

function refusalOf(
  claim: ClaimGiven,
  about: {
    readonly clusters: readonly HitCluster[];
    readonly layout: Layout;
    readonly plan: HitPlan;
  },
): string | undefined {
  const { unit, most } = unitOf(claim);
  const losses = about.clusters.filter(({ lost, objects }) => lost.length + objects.length > 0);
  const worst = Math.max(0, ...losses.map((one) => countOf(one, unit, { ...about, claim })));
  if (worst > most) {
    const within = claim.per === "dp" ? " of one data-parallel group" : "";
    return `${worst} ${unit}${within} are hit at once, and the claim is ${most}`;
  }
  const times = claim.times ?? restartsOf(about.plan);
  if (losses.length <= times) return undefined;
  return `it is hit ${losses.length} times, and the claim is ${times}`;
}

function countOf(
  { lost, objects }: HitCluster,
  unit: ClaimUnit,
  { layout, claim }: { readonly layout: Layout; readonly claim: ClaimGiven },
): number {
  const groupOf = (rank: number) => {
    if (claim.per !== "dp") return "job";
    const { pp, tp } = placeOfRank(rank, layout.shape);
    return `${pp} ${tp}`;
  };
  const units = new Map<string, Set<number>>();
  for (const rank of lost) {
    const group = groupOf(rank);
    const seen = units.get(group) ?? new Set();
    units.set(group, seen.add(unitNumber(rank, unit, layout)));
  }
  const ranks = Math.max(0, ...[...units.values()].map(({ size }) => size));
  return ranks + objects.length;
}

function unitNumber(rank: number, unit: ClaimUnit, layout: Layout): number {
  switch (unit) {
    case "ranks":
      return rank;
    case "nodes":
      return nodeOfRank(rank, layout);
    case "replicas":
      return placeOfRank(rank, layout.shape).dp;
    case "racks":
      return rackOfNode(nodeOfRank(rank, layout), layout);
  }
}

function restartsOf({ workload }: HitPlan): number {
  return workload.kind === "training" ? workload.policy.restartsMax : Number.POSITIVE_INFINITY;
}

function unitOf({ survives }: ClaimGiven): { readonly unit: ClaimUnit; readonly most: number } {
  const [entry] = Object.entries(survives).filter(([, most]) => most !== undefined);
  const [unit, most] = entry ?? ["ranks", 0];
  return { unit: unit as ClaimUnit, most: most ?? 0 };
}

function claimText(claim: ClaimGiven): string {
  const { unit, most } = unitOf(claim);
  const noun = most === 1 ? unit.slice(0, -1) : unit;
  return `${most} ${noun}${claim.per === "dp" ? " of each data-parallel group" : ""} at once`;
}
