import type { ChaosPlan, RecoveryPath } from "../../plan/index.ts";
import { clustersOf, type Hit, type HitCluster } from "./hits.ts";
import { layoutOf, placeOfRank } from "./layout.ts";

/** What a plan will cost if all goes as its policy says: known before anything is broken. */
export interface BlastRadius {
  /** Ranks, pods and nodes of a cluster that are hit at once at most. */
  readonly atOnce: number;
  readonly recoveries: readonly PredictedRecovery[];
}

export interface PredictedRecovery {
  /** Ids of the faults. */
  readonly faults: readonly string[];
  readonly touched: readonly number[];
  /** Ranks whose process ends and that must be started again, or done without. */
  readonly restarting: readonly number[];
  /** Ranks that go back to a checkpoint: all of the job, or none. */
  readonly rolledBack: number;
  readonly path: RecoveryPath;
}

export function blastRadiusOf(plan: ChaosPlan): BlastRadius {
  const clusters = clustersOf(plan);
  return {
    atOnce: Math.max(0, ...clusters.map(({ touched, objects }) => touched.length + objects.length)),
    recoveries: clusters.map((cluster) => predict(cluster, plan)),
  };
}

function predict(cluster: HitCluster, plan: ChaosPlan): PredictedRecovery {
  const forces = new Set(cluster.hits.map(({ force }) => force));
  const isStopped = forces.has("loses") || forces.has("stops") || isFound(forces, plan);
  const path = isStopped ? pathOf(cluster, plan) : "none";
  const ranks = layoutOf(plan.workload, plan.fleet).ranks ?? 0;
  const isLoss = forces.has("loses");
  const isTraining = plan.workload.kind === "training";
  return {
    faults: cluster.hits.map(({ fault }) => fault.id),
    touched: cluster.touched,
    restarting: isLoss ? cluster.lost : [],
    rolledBack: isStopped && isTraining && path !== "cleanFailure" ? ranks : 0,
    path,
  };
}

/** Wrong numbers stop a job only where somebody compares. */
function isFound(forces: ReadonlySet<string>, { workload }: ChaosPlan): boolean {
  const compares = workload.kind === "training" && workload.policy.compareEverySteps > 0;
  return forces.has("corrupts") && compares;
}

function pathOf(
  { lost, hits }: HitCluster,
  { workload, fleet, timeouts }: ChaosPlan,
): RecoveryPath {
  if (workload.kind !== "training") return "checkpointRestart";
  const { policy, shape } = workload;
  switch (policy.onFailure) {
    case "failFast":
      return "cleanFailure";
    case "pauseForManual":
      return policy.resumeAfterUs === null ? "cleanFailure" : "manual";
    case "spare": {
      const spares = fleet.spareNodes * fleet.devicesPerNode;
      return withFewer("spare", { lost, hits }, (ranks) => ranks.length <= spares);
    }
    case "shrink":
      return withFewer("shrink", { lost, hits }, (ranks) => {
        const broken = new Set(ranks.map((rank) => placeOfRank(rank, shape).dp));
        return broken.size < shape.dp;
      });
    case "drainThenResume": {
      // A device or node that is gone is waited for as long as ranks may take to meet.
      const waitUs = timeouts.rendezvousUs;
      const backUs = (durationUs: number | null) => durationUs ?? workload.pace.repairUs;
      const isGone = hits.some(({ fault, force }) => {
        const us = backUs(fault.durationUs);
        return force === "loses" && closesSlot.has(fault.fault) && (us === null || us > waitUs);
      });
      return isGone ? "cleanFailure" : "checkpointRestart";
    }
  }
}

/** Who is only suspected is done without where that can be, and started again where not. */
function withFewer(
  path: RecoveryPath,
  { lost, hits }: Pick<HitCluster, "lost" | "hits">,
  isEnough: (ranks: readonly number[]) => boolean,
): RecoveryPath {
  const gone = hits.filter((hit) => hit.force === "loses" && !isSuspicion(hit));
  const done = [lost, [...new Set(gone.flatMap((hit) => hit.lost))]].find(isEnough);
  if (done === undefined) return "cleanFailure";
  return done.length === 0 ? "checkpointRestart" : path;
}

/** The worker is alive, and well again in another process or when the fault is over. */
function isSuspicion({ fault: { fault, durationUs } }: Hit): boolean {
  return fault === "freeze_worker" || (suspicions.has(fault) && durationUs !== null);
}

const suspicions: ReadonlySet<string> = new Set([
  "hang_device",
  "partition",
  "packet_loss",
  "nvlink_error",
]);

/** After these nothing starts in the place until the fault is undone. */
const closesSlot: ReadonlySet<string> = new Set([
  "kill_device",
  "off_bus",
  "drop_rank",
  "fail_node",
  "fail_stage",
  "preempt",
]);
