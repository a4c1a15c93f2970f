import type { ClusterView, JobView } from "../clusters/cluster.ts";
import type { OpenRun } from "../run.ts";

/**
 * Where an open run stands: `unsubmitted` no job and none known of; `missing` no job where one was;
 * `withdrawn` no job, and none is wanted any more; `pending`, `running`; `ended` its job succeeded
 * or failed; `leaving` its job is being deleted.
 */
export type RunState =
  | "unsubmitted"
  | "missing"
  | "withdrawn"
  | "pending"
  | "running"
  | "ended"
  | "leaving";

/** How long something has been as it is. */
export interface Sighting {
  readonly state: RunState;
  /** Since when this process has seen it so, by the stopwatch. */
  readonly sinceMs: number;
  /** How long it had been so before, by the calendars of those who wrote the times down. */
  readonly claimedMs: number;
}

/**
 * What this process has seen with its own eyes. Calendars jump, and those of a cluster and of this
 * machine may disagree; a stopwatch does neither, but it starts anew with each process. So both are
 * kept, and whoever decides says how much of a claim it believes.
 */
export interface Sightings {
  /** By run id. */
  readonly runs: ReadonlyMap<string, Sighting>;
  /** Runs that are to end, by id: since when that was seen. */
  readonly cancelling: ReadonlyMap<string, number>;
  /** Nodes of open runs that are not in the cluster, by name: since when. */
  readonly nodesMissing: ReadonlyMap<string, number>;
  /** Unfinished jobs without an open run, by name: since when. */
  readonly strays: ReadonlyMap<string, number>;
}

export const nothingSeen: Sightings = {
  runs: new Map(),
  cancelling: new Map(),
  nodesMissing: new Map(),
  strays: new Map(),
};

export interface Look {
  readonly open: readonly OpenRun[];
  /** Must be current: in any other view the absence of something proves nothing. */
  readonly view: Pick<ClusterView, "nodes" | "jobs">;
  /** Runs whose submission was acknowledged to this process, whether or not that is on record. */
  readonly acknowledged: ReadonlySet<string>;
  /** The calendar of the cluster. */
  readonly nowMs: number;
  /** The stopwatch of the cluster. */
  readonly monotonicMs: number;
}

/** Notes what is seen now; what is as it was keeps its time. */
export function see(before: Sightings, look: Look): Sightings {
  const { open, view, monotonicMs } = look;
  const jobs = jobsByRun(view.jobs);
  const absent = new Set(open.map(({ intent }) => intent.node));
  for (const { name } of view.nodes) absent.delete(name);
  const openIds = new Set(open.map(({ intent }) => intent.id));
  const runs = new Map<string, Sighting>();
  for (const run of open) {
    const { id } = run.intent;
    const job = jobs.get(id);
    const state = stateOf(run, { job, acknowledged: look.acknowledged.has(id) });
    const earlier = before.runs.get(id);
    if (earlier?.state === state) runs.set(id, earlier);
    else {
      // Where it was seen before, the change was seen too, and no calendar is needed.
      const claimedMs = earlier === undefined ? claimOf(state, { run, job, look }) : 0;
      runs.set(id, { state, sinceMs: monotonicMs, claimedMs });
    }
  }
  const keep = (times: ReadonlyMap<string, number>, names: Iterable<string>) =>
    new Map([...names].map((name) => [name, times.get(name) ?? monotonicMs]));
  const missing = open.map(({ intent }) => intent.node).filter((node) => absent.has(node));
  const strays = view.jobs.filter((job) => isActive(job) && !openIds.has(job.runId));
  const cancelling = open.filter((run) => run.cancelling !== undefined);
  return {
    runs,
    cancelling: keep(
      before.cancelling,
      cancelling.map(({ intent }) => intent.id),
    ),
    nodesMissing: keep(before.nodesMissing, missing),
    strays: keep(
      before.strays,
      strays.map(({ name }) => name),
    ),
  };
}

/** While the view is not current nothing can be seen to be absent, so those times start anew. */
export function forgetAbsences(before: Sightings): Sightings {
  const isAbsence = (state: RunState) => state === "missing" || state === "withdrawn";
  const runs = [...before.runs].filter(([, { state }]) => !isAbsence(state));
  const { cancelling } = before;
  return { runs: new Map(runs), cancelling, nodesMissing: new Map(), strays: new Map() };
}

/** Notes runs that were planned this very moment, by us: no calendar has to be asked about them. */
export function seePlanned(
  before: Sightings,
  runIds: readonly string[],
  monotonicMs: number,
): Sightings {
  const planned = runIds.map((id): [string, Sighting] => [
    id,
    { state: "unsubmitted", sinceMs: monotonicMs, claimedMs: 0 },
  ]);
  return { ...before, runs: new Map([...before.runs, ...planned]) };
}

/** A job that holds, or may come to hold, its node. */
export function isActive(job: JobView): boolean {
  return job.phase === "pending" || job.phase === "running";
}

export function jobsByRun(jobs: readonly JobView[]): ReadonlyMap<string, JobView> {
  return new Map(jobs.map((job) => [job.runId, job]));
}

function stateOf(
  run: OpenRun,
  { job, acknowledged }: { readonly job: JobView | undefined; readonly acknowledged: boolean },
): RunState {
  if (job === undefined) {
    if (run.cancelling !== undefined) return "withdrawn";
    return wasSubmitted(run) || acknowledged ? "missing" : "unsubmitted";
  }
  switch (job.phase) {
    case "pending":
    case "running":
      return job.phase;
    case "succeeded":
    case "failed":
      return "ended";
    case "gone":
      return "leaving";
  }
}

/** Whether it is on record that the cluster had its job. */
export function wasSubmitted({ submittedAtMs, runningAtMs }: OpenRun): boolean {
  return submittedAtMs !== undefined || runningAtMs !== undefined;
}

function claimOf(
  state: RunState,
  seen: { readonly run: OpenRun; readonly job: JobView | undefined; readonly look: Look },
): number {
  const { run, job, look } = seen;
  const since = (atMs: number | undefined) =>
    atMs === undefined ? 0 : Math.max(0, look.nowMs - atMs);
  switch (state) {
    case "unsubmitted":
      return since(run.intent.plannedAtMs);
    case "pending":
      return since(job?.createdAtMs);
    case "running":
      return since(job?.startedAtMs ?? run.runningAtMs);
    case "missing":
    case "withdrawn":
    case "ended":
    case "leaving":
      return 0;
  }
}
