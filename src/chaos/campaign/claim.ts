import type { FaultName } from "../fault/fault-names.ts";
import type { ChaosPlan, PlannedFault } from "../plan/index.ts";
import { losesOf } from "./swarm/index.ts";

/** Nobody is missing after these: who was taken out can be started again at once. */
const comesBackAtOnce: ReadonlySet<FaultName> = new Set([
  "restart_worker",
  "drop_collective",
  "collective_timeout",
  "bit_flip",
  "strided_corruption",
  "not_a_number",
]);

/**
 * Whether the job must survive a plan of the swarm, by its policy alone: what is waited for comes back, for
 * what is replaced there is a spare, and of what is given up one whole replica is left. A link that flaps or
 * loses packets for longer than its ranks may be silent counts as the loss of a rank. The minimiser asks, so
 * that a plan does not become one that nobody claims to survive.
 */
export function isInsideClaim({ workload, fleet, timeouts, faults }: ChaosPlan): boolean {
  if (workload.kind !== "training") return true;
  const { policy, shape } = workload;
  const lost = faults.filter((fault) => losesOf(fault, timeouts) !== "nobody");
  if (lost.length === 0) return true;
  switch (policy.onFailure) {
    case "failFast":
      return false;
    case "pauseForManual":
      return policy.resumeAfterUs !== null && lost.every(comesBack);
    case "drainThenResume":
      return lost.every(comesBack);
    case "spare":
      return lost.length <= fleet.spareNodes;
    case "shrink":
      return new Set(lost.flatMap((fault) => replicasOf(fault, { shape, fleet }))).size < shape.dp;
  }
}

/**
 * What the minimiser may try of a plan: one that the job must survive stays one. Of plans that are none by
 * these rules from the start, nothing is known, and all is allowed.
 */
export function admitsFor(plan: ChaosPlan): (candidate: ChaosPlan) => boolean {
  const isKept = plan.expect.claim === "inside" && isInsideClaim(plan);
  return isKept ? isInsideClaim : () => true;
}

function comesBack({ fault, durationUs }: PlannedFault): boolean {
  return durationUs !== null || comesBackAtOnce.has(fault);
}

function replicasOf(
  { targets }: PlannedFault,
  {
    shape,
    fleet,
  }: {
    readonly shape: { readonly dp: number; readonly tp: number; readonly pp: number };
    readonly fleet: ChaosPlan["fleet"];
  },
): readonly number[] {
  const size = shape.tp * shape.pp;
  const { devicesPerNode } = fleet;
  const ranks = targets.flatMap((target) => {
    if (target.kind === "rank") return [target.rank];
    if (target.kind === "cut") return target.sides.flat();
    if (target.kind !== "node") return [];
    return Array.from({ length: devicesPerNode }, (_, at) => target.node * devicesPerNode + at);
  });
  return ranks.map((rank) => Math.floor(rank / size)).filter((replica) => replica < shape.dp);
}
