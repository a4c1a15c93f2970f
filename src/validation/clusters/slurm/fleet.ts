import type { SlurmJob, SlurmNode, SlurmReservation } from "../../../platform/slurm/index.ts";
import type { ClusterNode, JobView } from "../cluster.ts";
import { isLookedAt } from "./chosen-nodes.ts";
import { whyNotFree } from "./discovery/free-node.ts";
import { gpusIn, slurmSku } from "./discovery/gpus.ts";
import { closureOf, isOurReservation } from "./doors/closure.ts";
import { holdsNodes, isOpen } from "./jobs/job-states.ts";
import { jobView } from "./jobs/job-view.ts";
import { type OwnJob, onePerName, ownJobOf } from "./jobs/own-jobs.ts";
import type { SlurmIdentity } from "./names.ts";
import { put } from "./put.ts";
import type { ResolvedSlurmSettings } from "./settings.ts";
import { partitionOf, type SlurmSnapshot } from "./snapshot.ts";

export interface FleetInput {
  readonly snapshot: SlurmSnapshot;
  readonly who: SlurmIdentity;
  readonly settings: ResolvedSlurmSettings;
  /** By node, why one that we closed could not be opened for its test a while ago. */
  readonly troubles: ReadonlyMap<string, string>;
  /** By name, how long ago this process last asked for the end of a job. */
  readonly cancelledForMs: ReadonlyMap<string, number>;
}

/** Nodes in the order of their names, and our jobs, oldest first. */
export interface Fleet {
  readonly nodes: readonly ClusterNode[];
  readonly jobs: readonly JobView[];
}

/** The view of a snapshot: what is free, what is not and why, and where our jobs stand. */
export function fleetOf(input: FleetInput): Fleet {
  const { snapshot, settings, who, troubles, cancelledForMs } = input;
  const sorted = sortJobs(snapshot.jobs, who);
  const partition = partitionOf(snapshot.partitions, settings.partition);
  const excluded = new Set(settings.excludedNodes);
  const reservations = byNode(snapshot.reservations);
  const nodes = snapshot.nodes
    .filter((node) => isLookedAt(node, settings))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((node): ClusterNode => {
      const { name } = node;
      const all = reservations.get(name) ?? [];
      const closure = closureOf(node, all, who);
      return {
        name,
        sku: slurmSku(node, settings.gres),
        rack: rackOf(node, settings.rackFeature),
        gpus: gpusIn(node.gres, settings.gres),
        notFree: whyNotFree({
          node,
          held: sorted.held.get(name) ?? [],
          planned: sorted.planned.get(name) ?? [],
          own: (sorted.own.get(name) ?? []).map(({ job }) => job),
          reservations: all.filter((one) => !isOurReservation(one, name, who)),
          closure,
          trouble: troubles.get(name),
          partition,
          settings,
          excluded,
          nowMs: snapshot.atMs,
        }),
        awaitsAcceptance: closure.by === "ours",
        cordoned: closure.by !== "nobody",
      };
    });
  const nodeOf = new Map(snapshot.nodes.map((node) => [node.name, node]));
  const jobs = onePerName(sorted.ownAll)
    .kept.flatMap(
      (own) =>
        jobView(own, {
          node: nodeOf.get(own.node),
          cancelledForMs: cancelledForMs.get(own.job.name),
        }) ?? [],
    )
    .toSorted((a, b) => a.createdAtMs - b.createdAtMs || (a.name < b.name ? -1 : 1));
  return { nodes, jobs };
}

interface SortedJobs {
  readonly ownAll: readonly OwnJob[];
  /** By node, those that are open. */
  readonly own: ReadonlyMap<string, readonly OwnJob[]>;
  readonly held: ReadonlyMap<string, readonly SlurmJob[]>;
  readonly planned: ReadonlyMap<string, readonly SlurmJob[]>;
}

/** Whatever is not ours is a user's. */
function sortJobs(jobs: readonly SlurmJob[], who: SlurmIdentity): SortedJobs {
  const ownAll: OwnJob[] = [];
  const own = new Map<string, OwnJob[]>();
  const held = new Map<string, SlurmJob[]>();
  const planned = new Map<string, SlurmJob[]>();
  for (const job of jobs) {
    const ours = ownJobOf(job, who);
    if (ours !== undefined) {
      ownAll.push(ours);
      if (isOpen(job)) for (const node of new Set([ours.node, ...job.nodes])) put(own, node, ours);
    } else if (holdsNodes(job)) for (const node of job.nodes) put(held, node, job);
    else if (isOpen(job)) for (const node of job.plannedNodes) put(planned, node, job);
  }
  return { ownAll, own, held, planned };
}

function byNode(
  reservations: readonly SlurmReservation[],
): ReadonlyMap<string, readonly SlurmReservation[]> {
  const found = new Map<string, SlurmReservation[]>();
  for (const one of reservations) for (const node of one.nodes) put(found, node, one);
  return found;
}

function rackOf({ features }: SlurmNode, prefix: string | undefined): string {
  if (prefix === undefined) return "";
  return features.find((feature) => feature.startsWith(prefix)) ?? "";
}
