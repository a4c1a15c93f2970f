import { mapConcurrent } from "../../platform/concurrency/index.ts";
import { runRef } from "./events.ts";
import { type BatchContext, cancelJob, cancelRun, submitJob, submitsAtOnce } from "./job-calls.ts";
import { concludeRun, noteRun } from "./record.ts";
import type { Step, StepKind } from "./steps.ts";

// What is known is written down first; room is made before it is taken.
const order: readonly StepKind[] = [
  "note",
  "conclude",
  "cancel",
  "cancel-again",
  "cancel-stray",
  "submit",
];

/** Carries steps out, each for itself: one that fails holds back others of its kind only. */
export async function carryOut(context: BatchContext, steps: readonly Step[]): Promise<void> {
  const { paceOf } = context;
  const chosen = steps
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
    .slice(0, paceOf.stepsMax);
  for (const kind of order) {
    const ofKind = chosen.filter((step) => step.kind === kind);
    const atOnce = kind === "submit" ? submitsAtOnce(context) : paceOf.callsAtOnce;
    await mapConcurrent(ofKind, atOnce, (step) => carryOutOne(context, step));
  }
}

async function carryOutOne(context: BatchContext, step: Step): Promise<void> {
  const { cluster, onEvent } = context;
  switch (step.kind) {
    case "note": {
      const { run, phase } = step;
      const done = await noteRun(context, run.intent.id, { phase, atMs: cluster.clock.nowMs() });
      if (done && phase === "running") onEvent({ type: "running", run: runRef(run) });
      return;
    }
    case "conclude":
      await concludeRun(context, step.run, step);
      return;
    case "cancel": {
      const { run, reason, outcome } = step;
      // Written down first: whoever comes after a crash goes on with it, and nobody submits it again.
      const note = { phase: "cancelling", atMs: cluster.clock.nowMs(), reason, outcome } as const;
      if (!(await noteRun(context, run.intent.id, note))) return;
      onEvent({ type: "cancelling", run: runRef(run), reason });
      if (step.hasJob) await cancelRun(context, run);
      return;
    }
    case "cancel-again":
      await cancelRun(context, step.run);
      return;
    case "cancel-stray": {
      const { name, node } = step.job;
      if (await cancelJob(context, name)) onEvent({ type: "stray", jobName: name, node });
      return;
    }
    case "submit":
      await submitJob(context, step.run.intent, { again: true });
      return;
  }
}
