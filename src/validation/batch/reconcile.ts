import { formatDurationMs } from "../../platform/units/index.ts";
import type { RunOutcome } from "../../platform/words.ts";
import type { ClusterNode, ClusterView, JobView } from "../clusters/cluster.ts";
import type { OpenRun } from "../run.ts";
import type { ValidationSettings } from "../settings.ts";
import { isActive, jobsByRun, type Sighting, type Sightings, wasSubmitted } from "./sightings.ts";
import type { Step } from "./steps.ts";

export interface ReconcileInput {
  readonly open: readonly OpenRun[];
  /** Must be current. */
  readonly view: Pick<ClusterView, "nodes" | "jobs">;
  /** Of this very view and these very runs. */
  readonly sightings: Sightings;
  /** The stopwatch of the cluster, as the sightings were made with. */
  readonly monotonicMs: number;
  readonly settings: Pick<
    ValidationSettings,
    "pendingTimeoutMs" | "runTimeoutMs" | "resultGraceMs"
  >;
  /** Runs whose submission was acknowledged to this process. */
  readonly acknowledged: ReadonlySet<string>;
  /** Runs of which this process knows that nobody has ever tried to submit them. */
  readonly untried: ReadonlySet<string>;
  /** When this process last asked for the end of a run's job, by the same stopwatch. */
  readonly cancelAskedMs: ReadonlyMap<string, number>;
  readonly cancelEveryMs: number;
  /** False while nothing may be submitted. */
  readonly submits: boolean;
  /** Why everything is to end; undefined when it is not. */
  readonly cancelAll: string | undefined;
}

/**
 * What a calendar claims about the time before this process began counts for at most this share of
 * a timeout; the rest must pass before our eyes. A clock that was set while nobody looked can then
 * shorten a wait, and never end a job at first sight; a loop that restarts often still ends jobs.
 */
const believedShare = 0.5;

/** What to do about the open runs and the jobs of a cluster, given what is seen of both. */
export function reconcile(input: ReconcileInput): readonly Step[] {
  const { open, view, sightings, monotonicMs, settings } = input;
  const jobs = jobsByRun(view.jobs);
  const nodes = nodesOf(open, view);
  const steps = open.flatMap((run) => {
    const { id, node } = run.intent;
    const sighting = sightings.runs.get(id);
    if (sighting === undefined) return [];
    return stepsFor(run, { ...input, sighting, job: jobs.get(id), node: nodes.get(node) });
  });
  const strays = view.jobs.filter((job) => {
    const sinceMs = sightings.strays.get(job.name);
    // A pod that has handed in takes a moment to end.
    return sinceMs !== undefined && monotonicMs - sinceMs >= settings.resultGraceMs;
  });
  return [...steps, ...strays.map((job): Step => ({ kind: "cancel-stray", job }))];
}

/** The nodes that open runs are on, by name: of a large fleet they are few. */
function nodesOf(
  open: readonly OpenRun[],
  view: Pick<ClusterView, "nodes">,
): ReadonlyMap<string, ClusterNode> {
  const wanted = new Set(open.map(({ intent }) => intent.node));
  const nodes = view.nodes.filter(({ name }) => wanted.has(name));
  return new Map(nodes.map((node) => [node.name, node]));
}

/** The runs whose results may lie on the shared volume by now. */
export function dueForCollection(
  open: readonly OpenRun[],
  sightings: Sightings,
): readonly OpenRun[] {
  return open.filter((run) => {
    const state = sightings.runs.get(run.intent.id)?.state;
    if (run.cancelling !== undefined) return state !== undefined;
    return state === "ended" || state === "missing" || state === "leaving";
  });
}

interface RunInput extends ReconcileInput {
  readonly sighting: Sighting;
  readonly job: JobView | undefined;
  readonly node: ClusterNode | undefined;
}

function stepsFor(run: OpenRun, input: RunInput): Step[] {
  const notes = notesFor(run, input.job);
  if (run.cancelling !== undefined) return [...notes, ...finishCancelling(run, input)];
  if (input.cancelAll !== undefined) return [...notes, endNow(run, input, input.cancelAll)];
  return [...notes, ...goOn(run, input)];
}

/** What is seen of a job is written down, so that a next life never takes it for unsubmitted. */
function notesFor(run: OpenRun, job: JobView | undefined): Step[] {
  if (job === undefined) return [];
  const isNew = !wasSubmitted(run);
  const runs = job.phase === "running" && run.runningAtMs === undefined;
  return [
    ...(isNew ? [{ kind: "note", run, phase: "submitted" } as const] : []),
    ...(runs ? [{ kind: "note", run, phase: "running" } as const] : []),
  ];
}

function endNow(run: OpenRun, input: RunInput, reason: string): Step {
  if (input.untried.has(run.intent.id)) {
    return { kind: "conclude", run, outcome: "cancelled", error: reason };
  }
  return cancelled(run, input, { reason, outcome: "cancelled" });
}

function cancelled(
  run: OpenRun,
  { job, acknowledged }: RunInput,
  end: { readonly reason: string; readonly outcome: RunOutcome },
): Step {
  const hasJob = job !== undefined || wasSubmitted(run) || acknowledged.has(run.intent.id);
  return { kind: "cancel", run, hasJob, ...end };
}

function goOn(run: OpenRun, input: RunInput): Step[] {
  switch (input.sighting.state) {
    case "unsubmitted":
      return submitOrGiveUp(run, input);
    case "pending":
    case "running":
      return keepOrCancel(run, input);
    case "ended":
    case "leaving":
    case "missing":
      return concludeAfterGrace(run, input);
    case "withdrawn":
      return [];
  }
}

function submitOrGiveUp(run: OpenRun, input: RunInput): Step[] {
  const { sighting, settings, node, submits } = input;
  // Here caution is not to act: a claim of any size is believed, since there is no job to be ended.
  const ageMs = Math.max(sighting.claimedMs, seenMs(input));
  if (ageMs > settings.pendingTimeoutMs) {
    const within = formatDurationMs(settings.pendingTimeoutMs);
    const reason = `its job could not be submitted within ${within}`;
    return [cancelled(run, input, { reason, outcome: "error" })];
  }
  if (isNodeGone(run, input)) return [nodeGone(run, input)];
  if (!submits || node === undefined || !mayBeTested(node)) return [];
  return [{ kind: "submit", run }];
}

/** Free, or closed only by what we ourselves have there. */
function mayBeTested({ notFree }: ClusterNode): boolean {
  return notFree.every(({ code }) => code === "under-test");
}

function keepOrCancel(run: OpenRun, input: RunInput): Step[] {
  const { sighting, settings, job } = input;
  if (isNodeGone(run, input)) return [nodeGone(run, input)];
  const isPending = sighting.state === "pending";
  // The job itself gives up at its timeout and can say how far it came; we come after that.
  const timeoutMs = isPending
    ? settings.pendingTimeoutMs
    : settings.runTimeoutMs + settings.resultGraceMs;
  const claimedMs = Math.min(sighting.claimedMs, timeoutMs * believedShare);
  if (claimedMs + seenMs(input) <= timeoutMs) return [];
  const why = job?.detail === undefined ? "" : `: ${job.detail}`;
  const reason = isPending
    ? `its job did not begin to run within ${formatDurationMs(timeoutMs)}${why}`
    : `its job ran for longer than ${formatDurationMs(settings.runTimeoutMs)}`;
  return [cancelled(run, input, { reason, outcome: "timeout" })];
}

function concludeAfterGrace(run: OpenRun, input: RunInput): Step[] {
  // Its silence is nothing to wonder about, so nobody has to wait for it to be broken.
  if (input.job?.preempted === true) {
    const error = "preempted: users' work came first";
    return [{ kind: "conclude", run, outcome: "cancelled", error }];
  }
  if (input.job?.neverBegan === true) {
    const error = `its job never began: ${input.job.detail ?? "somebody else took it away"}`;
    return [{ kind: "conclude", run, outcome: "cancelled", error }];
  }
  if (seenMs(input) < input.settings.resultGraceMs) return [];
  return [{ kind: "conclude", run, outcome: "error", error: silenceOf(input) }];
}

function silenceOf({ job, node }: RunInput): string {
  const silent = "and handed in no result";
  if (job === undefined) {
    return node === undefined
      ? `its job vanished with its node ${silent}`
      : `its job vanished from the cluster ${silent}`;
  }
  const what = job.phase === "gone" ? "was deleted" : job.phase;
  return `its job ${what}${job.detail === undefined ? "" : ` (${job.detail})`} ${silent}`;
}

/** A run that was to end ends when its job is gone. */
function finishCancelling(run: OpenRun, input: RunInput): Step[] {
  const { job, cancelAskedMs, cancelEveryMs, monotonicMs, untried, settings } = input;
  const { id } = run.intent;
  const { outcome, reason } = run.cancelling ?? { outcome: "error", reason: "" };
  const conclude: Step = { kind: "conclude", run, outcome, error: reason };
  if (untried.has(id)) return [conclude];
  if (mayStillLand(run, input)) return [];
  // A job that is being deleted may take for ever, on a node that is dead.
  if (job?.phase === "gone") return seenMs(input) >= settings.resultGraceMs ? [conclude] : [];
  const askedMs = cancelAskedMs.get(id);
  if (job === undefined && askedMs !== undefined) return [conclude];
  const asksAgain = askedMs === undefined || monotonicMs - askedMs >= cancelEveryMs;
  return asksAgain ? [{ kind: "cancel-again", run }] : [];
}

/**
 * A run was given up of which nobody knew whether it was submitted: attempts of which nobody heard
 * may still be on their way. Ending the job that one of them makes would only make room for the next
 * to make it again, so all of them are let in first.
 */
function mayStillLand(run: OpenRun, input: RunInput): boolean {
  const { sightings, monotonicMs, settings, acknowledged } = input;
  const { id } = run.intent;
  const { submittedAtMs, cancelling } = run;
  const wasKnown =
    acknowledged.has(id) ||
    (submittedAtMs !== undefined && submittedAtMs < (cancelling?.atMs ?? Infinity));
  const sinceMs = sightings.cancelling.get(id) ?? monotonicMs;
  return !wasKnown && monotonicMs - sinceMs < settings.resultGraceMs;
}

function isNodeGone(run: OpenRun, { sightings, monotonicMs, settings }: RunInput): boolean {
  const sinceMs = sightings.nodesMissing.get(run.intent.node);
  return sinceMs !== undefined && monotonicMs - sinceMs >= settings.resultGraceMs;
}

function nodeGone(run: OpenRun, input: RunInput): Step {
  const reason = `node ${run.intent.node} left the cluster`;
  return cancelled(run, input, { reason, outcome: "error" });
}

function seenMs({ sighting, monotonicMs }: RunInput): number {
  return monotonicMs - sighting.sinceMs;
}

/** Jobs that hold nodes without an open run: they take up room until they are gone. */
export function activeStrays(
  view: Pick<ClusterView, "jobs">,
  open: readonly OpenRun[],
): readonly JobView[] {
  const openIds = new Set(open.map(({ intent }) => intent.id));
  return view.jobs.filter((job) => isActive(job) && !openIds.has(job.runId));
}
