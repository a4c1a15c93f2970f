import type { ClusterNode, JobRequest, JobView } from "../../cluster.ts";
import type { Fleet } from "../fleet.ts";

/** A job that was handed in since the last look began. */
export interface LandedJob {
  readonly id: number;
  readonly view: JobView;
  /** By the stopwatch. */
  readonly landedMs: number;
}

export function landedJob(
  { intent }: JobRequest,
  at: { readonly id: number; readonly nowMs: number; readonly monotonicMs: number },
): LandedJob {
  const { jobName: name, id: runId, node } = intent;
  const detail = "it was handed in a moment ago";
  return {
    id: at.id,
    landedMs: at.monotonicMs,
    view: { name, runId, node, phase: "pending", createdAtMs: at.nowMs, detail },
  };
}

/** A view with the jobs that it is too old to show. */
export function withLanded(fleet: Fleet, landed: Iterable<LandedJob>): Fleet {
  const known = new Set(fleet.jobs.map(({ name }) => name));
  const added = [...landed].filter(({ view }) => !known.has(view.name));
  if (added.length === 0) return fleet;
  const byNode = new Map(added.map((one) => [one.view.node, one]));
  const nodes = fleet.nodes.map((node): ClusterNode => {
    const job = byNode.get(node.name);
    if (job === undefined) return node;
    const text = `job ${job.id} of ours (${job.view.name}) is open`;
    return { ...node, notFree: [...node.notFree, { code: "under-test", text }] };
  });
  return { nodes, jobs: [...fleet.jobs, ...added.map(({ view }) => view)] };
}
