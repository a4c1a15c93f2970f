import type { Fleet, Limits, Timeouts, Workload } from "../../plan/index.ts";
import { beatsOfHeartbeat, limitUsDefault, timeoutDefaults } from "../presets/index.ts";
import type { Experiment } from "../schema/index.ts";
import { ranksOf } from "./layout.ts";
import { planError } from "./plan-error.ts";
import { resolveProbe } from "./probes.ts";

const devicesPerNodeDefault = 8;
const nodesPerRackDefault = 8;
/** More than the world of clusters takes. */
const podsMax = 10_000;

/** The machines: as few nodes as hold the job unless the file says more. @throws E_PLAN */
export function resolveFleet(experiment: Experiment, workload: Workload): Fleet {
  const { fleet = {}, title } = experiment;
  const ranks = ranksOf(workload) ?? 1;
  const devicesPerNode = fleet.devicesPerNode ?? Math.min(devicesPerNodeDefault, ranks);
  const needed = Math.ceil(ranks / devicesPerNode);
  const nodes = fleet.nodes ?? needed;
  if (nodes < needed) {
    const have = `${nodes} nodes of ${devicesPerNode} devices`;
    throw planError(title, `${ranks} ranks need ${needed} nodes, and ${have} are given`);
  }
  return {
    nodes,
    devicesPerNode,
    nodesPerRack: fleet.nodesPerRack ?? nodesPerRackDefault,
    spareNodes: fleet.spareNodes ?? 0,
  };
}

export function resolveTimeouts({ timeouts = {} }: Experiment): Timeouts {
  const heartbeatUs = timeouts.heartbeat ?? timeoutDefaults.heartbeatUs;
  return {
    heartbeatEveryUs:
      timeouts.heartbeatEvery ?? Math.max(1, Math.floor(heartbeatUs / beatsOfHeartbeat)),
    heartbeatUs,
    collectiveUs: timeouts.collective ?? timeoutDefaults.collectiveUs,
    rendezvousUs: timeouts.rendezvous ?? timeoutDefaults.rendezvousUs,
    saveUs: timeouts.save ?? timeoutDefaults.saveUs,
    loadUs: timeouts.load ?? timeoutDefaults.loadUs,
    drainUs: timeouts.drain ?? timeoutDefaults.drainUs,
  };
}

export function resolveLimits(
  { title, limits = {} }: Pick<Experiment, "title" | "limits">,
  workload: Workload,
): Limits {
  return {
    durationUs: limits.duration ?? limitUsDefault,
    ...targetLimits(title, limits, workload),
    abortWhen: (limits.abortWhen ?? []).map(resolveProbe),
  };
}

/** Whoever says nothing about pods that are not his own job may lose one. */
function targetLimits(
  title: string,
  { targets, targetsPercent }: NonNullable<Experiment["limits"]>,
  workload: Workload,
): Pick<Limits, "targetsMax" | "targetsPercent"> {
  const ranks = ranksOf(workload);
  if (targetsPercent === undefined) return { targetsMax: targets ?? ranks ?? 1 };
  if (ranks !== null) {
    const share = Math.floor((ranks * targetsPercent) / 100);
    return { targetsMax: Math.min(targets ?? ranks, share) };
  }
  // How many pods or nodes there are is only known where they run.
  if (workload.kind === "pods" || workload.kind === "slurm")
    return { targetsMax: targets ?? podsMax, targetsPercent };
  throw planError(title, "limits.targetsPercent needs a workload whose ranks or pods are counted");
}
