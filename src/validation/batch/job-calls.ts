import { isTesseraError, messageOf } from "../../platform/errors/index.ts";
import { withDeadline } from "../../platform/time/index.ts";
import { isNodeRefusal } from "../clusters/node-refusal.ts";
import type { OpenRun, RunIntent } from "../run.ts";
import { type Episodes, problemOf } from "./episodes.ts";
import { runRef } from "./events.ts";
import { jobRequestOf } from "./job-request.ts";
import type { BatchPorts, Pace } from "./ports.ts";
import { concludeRun, noteRun } from "./record.ts";

/** What this process knows and the store may not know yet. Gone with the process, and not missed. */
export interface Memory {
  /** Runs whose submission was acknowledged. */
  readonly acknowledged: Set<string>;
  /** Runs that were planned here and never tried. */
  readonly untried: Set<string>;
  /** When the end of a run's job was asked for and granted, by the cluster's stopwatch. */
  readonly cancelAskedMs: Map<string, number>;
  /** Runs that were concluded here, whose results may still come. */
  readonly late: Map<string, { readonly run: OpenRun; readonly untilMs: number }>;
  /** Why the cluster will not take our jobs; undefined when it does. */
  refusal: string | undefined;
}

/** What every step works with. */
export interface BatchContext extends BatchPorts {
  readonly paceOf: Pace;
  readonly episodes: Episodes;
  readonly memory: Memory;
}

const submitStep = "submit";
const cancelStep = "cancel";

/** True when a job of ours may be submitted now, as far as earlier attempts tell. */
export function maySubmit({ episodes, isLeader }: BatchContext): boolean {
  return isLeader() && episodes.isDue(submitStep);
}

/** How many jobs are submitted at once: one by one until it works again. */
export function submitsAtOnce({ episodes, paceOf }: BatchContext): number {
  return episodes.has(submitStep) ? 1 : paceOf.callsAtOnce;
}

/** Submits the job of a run and writes that down; never throws. */
export async function submitJob(
  context: BatchContext,
  intent: RunIntent,
  options: { readonly again: boolean },
): Promise<void> {
  const { cluster, episodes, memory, clock, onEvent, paceOf } = context;
  if (!maySubmit(context)) return;
  memory.untried.delete(intent.id);
  try {
    // No wait between this question and the call: a process that was paused learns it in time.
    const what = `Submitting the job ${intent.jobName}`;
    await withDeadline({ clock, timeoutMs: paceOf.callTimeoutMs, what }, () =>
      cluster.submit(jobRequestOf(intent, context)),
    );
  } catch (error) {
    if (isNodeRefusal(error)) {
      // Other nodes do not wait for this one.
      await conclude(context, intent, messageOf(error));
      return;
    }
    episodes.failed(submitStep, problemOf(error));
    if (isRefusal(error)) {
      memory.refusal = messageOf(error);
      await conclude(context, intent, messageOf(error));
    }
    return;
  }
  memory.acknowledged.add(intent.id);
  memory.refusal = undefined;
  episodes.succeeded(submitStep);
  onEvent({ type: "submitted", run: runRef(intent), again: options.again });
  await noteRun(context, intent.id, { phase: "submitted", atMs: cluster.clock.nowMs() });
}

/** A job the cluster will never take has never run. */
async function conclude(context: BatchContext, intent: RunIntent, problem: string): Promise<void> {
  const run = { intent, submittedAtMs: undefined, runningAtMs: undefined, cancelling: undefined };
  await concludeRun(context, run, { outcome: "error", error: problem });
}

function isRefusal(error: unknown): boolean {
  return isTesseraError(error) && error.code === "E_JOB_REFUSED";
}

/** Ends a job; true when the cluster agreed. Never throws. */
export async function cancelJob(context: BatchContext, jobName: string): Promise<boolean> {
  const { cluster, episodes, clock, isLeader, paceOf } = context;
  if (!isLeader()) return false;
  const done = await episodes.attempt(cancelStep, () =>
    withDeadline(
      { clock, timeoutMs: paceOf.callTimeoutMs, what: `Cancelling the job ${jobName}` },
      () => cluster.cancel(jobName),
    ),
  );
  return done !== undefined;
}

/** Ends the job of a run and remembers when. */
export async function cancelRun(context: BatchContext, run: OpenRun): Promise<void> {
  const { cluster, memory } = context;
  const { id, jobName } = run.intent;
  if (await cancelJob(context, jobName)) {
    memory.cancelAskedMs.set(id, cluster.clock.monotonicMs());
  }
}
